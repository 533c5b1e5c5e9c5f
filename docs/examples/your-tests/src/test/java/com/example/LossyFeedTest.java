package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.faults.datagram.Traffic;
import org.naklab.faults.junit.Faults;
import org.naklab.faults.junit.TestFaults;

class LossyFeedTest {
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:24277";
    private static final int STREAM_ID = 7;
    private static final int COUNT = 500;

    @TempDir
    Path directory;

    @Test
    @Timeout(60)
    @Faults("""
            {"seed": 42, "faults": [
              {"kind": "datagram-loss", "parameters": {"select": {"gaps": [{"first": 20, "count": 5}, {"first": 60}]}}}
            ]}
            """)
    void shouldGetEveryMessageWhenSixDatagramsAreLost(TestFaults faults) {
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                        .aeronDirectoryName(directory.resolve("aeron").toString())
                        .threadingMode(ThreadingMode.SHARED)
                        .receiveChannelEndpointSupplier(faults.datagrams().receiveEndpoints())
                        .sendChannelEndpointSupplier(faults.datagrams().sendEndpoints()));
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
                Publication publication = aeron.addPublication(CHANNEL, STREAM_ID)) {
            faults.start();

            assertEquals(IntStream.range(0, COUNT).boxed().toList(), sendAndReceive(publication, subscription));
            assertEquals(6, faults.proof("datagram-loss").figure("firings"));
        }
    }

    @Test
    @Timeout(60)
    @Faults
    void shouldGetEveryMessageOfALossyFeed(TestFaults faults) {
        Selection selection = Selection.random(Direction.INBOUND, Traffic.DATA, 0.05);
        DatagramLossFault.Parameters loss = new DatagramLossFault.Parameters(DatagramSeam.NAME, selection);
        faults.plan(FaultPlan.of(42, FaultSpec.of("datagram-loss", TestFaults.PROCESS, loss)));
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                        .aeronDirectoryName(directory.resolve("aeron").toString())
                        .threadingMode(ThreadingMode.SHARED)
                        .receiveChannelEndpointSupplier(faults.datagrams().receiveEndpoints())
                        .sendChannelEndpointSupplier(faults.datagrams().sendEndpoints()));
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                Subscription subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
                Publication publication = aeron.addPublication(CHANNEL, STREAM_ID)) {
            faults.start();

            assertEquals(IntStream.range(0, COUNT).boxed().toList(), sendAndReceive(publication, subscription));
        }
    }

    private static List<Integer> sendAndReceive(Publication publication, Subscription subscription) {
        List<Integer> received = new ArrayList<>();
        UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
        int sent = 0;
        while (received.size() < COUNT) {
            if (sent < COUNT) {
                message.putInt(0, sent);
                sent += publication.offer(message) > 0 ? 1 : 0;
            }
            subscription.poll((buffer, offset, length, header) -> received.add(buffer.getInt(offset)), 10);
        }
        return received;
    }
}
