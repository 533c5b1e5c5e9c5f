package org.naklab.faultsample;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramReorderingFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Gap;
import org.naklab.faults.datagram.Selection;
import org.naklab.faults.junit.Faults;
import org.naklab.faults.junit.FaultsExtension;
import org.naklab.faults.junit.TestFaults;

/**
 * A sample for other projects, which uses nothing but the public API: does a plain Aeron subscription get every message of a
 * plain publication, in order, when the network does not play along?
 */
@ExtendWith(FaultsExtension.class)
@Timeout(60)
class LossyFeedTest {
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:24200";
    private static final int STREAM_ID = 7;
    private static final int COUNT = 500;

    private MediaDriver driver;
    private Aeron aeron;
    private Publication publication;
    private Subscription subscription;

    /** The media driver gets the endpoints of the seam; nothing else is different from a test without faults. */
    @BeforeEach
    void launch(TestFaults faults, @TempDir Path directory) {
        DatagramSeam datagrams = faults.datagrams();
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("aeron").toString())
                .threadingMode(ThreadingMode.SHARED)
                .termBufferSparseFile(true)
                .receiveChannelEndpointSupplier(datagrams.receiveEndpoints())
                .sendChannelEndpointSupplier(datagrams.sendEndpoints()));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
        publication = aeron.addPublication(CHANNEL, STREAM_ID);
        while (!publication.isConnected()) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void close() {
        aeron.close();
        driver.close();
    }

    @Test
    @Faults("""
            {"seed": 42, "faults": [
              {"kind": "datagram-loss", "parameters": {"select": {"gaps": [{"first": 20, "count": 5}, {"first": 60}]}}}
            ]}
            """)
    void shouldGetEveryMessageWhenSixDatagramsAreLost(TestFaults faults) {
        faults.start();

        assertThat(sendAndReceive()).isEqualTo(allNumbers());

        FaultProof proof = faults.proof("datagram-loss");
        assertThat(proof.fired()).isTrue();
        assertThat(proof.figure("firings")).isEqualTo(6);
    }

    @Test
    void shouldGetEveryMessageInOrderWhenDatagramsOvertakeOneAnother(TestFaults faults) {
        Selection some = Selection.exact(Direction.INBOUND, new Gap(10, 2), new Gap(30, 1));
        Record parameters = new DatagramReorderingFault.Parameters(DatagramSeam.NAME, some, 2, 100);
        faults.plan(FaultPlan.of(42, FaultSpec.of("datagram-reordering", TestFaults.PROCESS, parameters)));
        faults.start();

        assertThat(sendAndReceive()).isEqualTo(allNumbers());

        assertThat(faults.proof("datagram-reordering").fired()).isTrue();
    }

    @Test
    void shouldGetEveryMessageWhenNothingGoesWrong() {
        assertThat(sendAndReceive()).isEqualTo(allNumbers());
    }

    private static List<Integer> allNumbers() {
        return IntStream.rangeClosed(1, COUNT).boxed().toList();
    }

    private List<Integer> sendAndReceive() {
        List<Integer> received = new ArrayList<>();
        UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
        int sent = 0;
        while (received.size() < COUNT) {
            if (sent < COUNT) {
                message.putInt(0, sent + 1);
                sent += publication.offer(message) > 0 ? 1 : 0;
            }
            subscription.poll((buffer, offset, length, header) -> received.add(buffer.getInt(offset)), 10);
        }
        return received;
    }
}
