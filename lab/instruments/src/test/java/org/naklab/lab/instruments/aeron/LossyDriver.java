package org.naklab.lab.instruments.aeron;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.status.ChannelEndpointStatus;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.testing.Await;

/** A driver with a publisher and a subscriber, all stepped by the test's thread, that loses data frames on demand. */
final class LossyDriver implements AutoCloseable {
    static final int STREAM_ID = 25;

    private final DropSome loss = new DropSome();
    private final MediaDriver driver;
    private final Aeron aeron;
    private final Publication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
    private int received;

    /** Drops the next so many data frames. */
    private static final class DropSome implements LossGenerator {
        private int framesToDrop;
        private static final int NONE = -1;
        private boolean losesForGood;
        private int lostForGood = NONE;

        @Override
        public boolean shouldDropFrame(InetSocketAddress address, UnsafeBuffer buffer, int length) {
            return false;
        }

        @Override
        public boolean shouldDropFrame(
                InetSocketAddress address,
                UnsafeBuffer buffer,
                int streamId,
                int sessionId,
                int termId,
                int termOffset,
                int length) {
            boolean heartbeat = buffer.getInt(0) == 0;
            if (!heartbeat && losesForGood && lostForGood == NONE) {
                lostForGood = termOffset;
            }
            return !heartbeat && (termOffset == lostForGood || framesToDrop-- > 0);
        }
    }

    LossyDriver(Path directory, int port) {
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .termBufferSparseFile(true)
                .dirDeleteOnStart(false)
                .receiveChannelEndpointSupplier((channel, dispatcher, status, context) ->
                        new DebugReceiveChannelEndpoint(channel, dispatcher, status, context, loss, loss)));
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
        String channel = "aeron:udp?endpoint=127.0.0.1:" + port + "|term-length=64k|nak-delay=1ms";
        subscription = aeron.addSubscription(channel, STREAM_ID);
        publication = aeron.addPublication(channel, STREAM_ID);
        Await.until("connected", () -> {
            step();
            return subscription.isConnected() && publication.isConnected();
        });
    }

    /** Loses the next data frames; a frame holds all messages that were offered since the last step, if they fit. */
    void dropFrames(int frames) {
        loss.framesToDrop = frames;
    }

    /** Loses the next data frame, and each time that it is sent again. */
    void loseForGood() {
        loss.losesForGood = true;
    }

    void publish(int messages) {
        for (int i = 0; i < messages; i++) {
            Await.until("offered", () -> publication.offer(message) > 0);
            step();
        }
    }

    void step() {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        received += subscription.poll((buffer, offset, length, header) -> {}, 10);
    }

    int received() {
        return received;
    }

    /** Adds a subscription; returns when its channel is open. */
    Subscription subscribe(String channel) {
        Subscription added = aeron.addSubscription(channel, STREAM_ID);
        Await.until("open", () -> {
            step();
            return added.channelStatus() == ChannelEndpointStatus.ACTIVE;
        });
        return added;
    }

    /** Adds a counter as a receiver of the replica does, for a port; returns when it is there. */
    Counter count(int typeId, int port) {
        UnsafeBuffer key = new UnsafeBuffer(new byte[2 * Integer.BYTES]);
        key.putInt(0, STREAM_ID);
        key.putInt(Integer.BYTES, port);
        UnsafeBuffer label = new UnsafeBuffer("naklab".getBytes(StandardCharsets.US_ASCII));
        return aeron.addCounter(typeId, key, 0, key.capacity(), label, 0, label.capacity());
    }

    void closePublication() {
        publication.close();
    }

    boolean hasImage() {
        return subscription.imageCount() > 0;
    }

    @Override
    public void close() {
        aeron.close();
        driver.close();
    }
}
