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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.junit.ReceiveFailure;
import org.naklab.lab.junit.WatchReceive;

class WatchedFeedTest {
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:24278";
    private static final int STREAM_ID = 7;
    private static final int COUNT = 500;

    private MediaDriver driver;
    private Aeron aeron;
    private Subscription subscription;
    private Publication publication;

    @BeforeEach
    void launch(@TempDir Path directory) {
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("aeron").toString())
                .threadingMode(ThreadingMode.SHARED));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        subscription = aeron.addSubscription(CHANNEL, STREAM_ID);
        publication = aeron.addPublication(CHANNEL, STREAM_ID);
    }

    @AfterEach
    void close() {
        aeron.close();
        driver.close();
    }

    @Test
    @WatchReceive(failOn = {ReceiveFailure.DROPS, ReceiveFailure.NAKS})
    void shouldLoseNothing() {
        assertEquals(IntStream.range(0, COUNT).boxed().toList(), sendAndReceive(publication, subscription));
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
