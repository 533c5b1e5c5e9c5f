package org.naklab.faults.datagram;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.testing.Await;

/** A plain Aeron publication and subscription over loopback, all on the test's thread. */
final class LoopbackTransport implements AutoCloseable {
    static final int STREAM_ID = 1001;
    private static final int MESSAGE_BYTES = 1_000;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final Publication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
    private final List<Long> received = new ArrayList<>();

    LoopbackTransport(Path directory, int port, DatagramSeam seam) {
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("aeron").toString())
                .threadingMode(ThreadingMode.INVOKER)
                .termBufferSparseFile(true)
                .publicationTermBufferLength(1 << 20)
                .dirDeleteOnStart(false)
                .spiesSimulateConnection(false)
                .receiveChannelEndpointSupplier(seam.receiveEndpoints())
                .sendChannelEndpointSupplier(seam.sendEndpoints()));
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker()));
        String channel = "aeron:udp?endpoint=127.0.0.1:" + port;
        subscription = aeron.addSubscription(channel, STREAM_ID);
        publication = aeron.addPublication(channel, STREAM_ID);
        awaitTrue("connected", () -> publication.isConnected() && subscription.isConnected());
    }

    /** Sends numbers, one a datagram: a message fills most of one, and each is on its way before the next is offered. */
    void send(long from, long to) {
        for (long number = from; number <= to; number++) {
            message.putLong(0, number);
            awaitTrue("offered", () -> publication.offer(message) > 0);
            work();
        }
    }

    /** Sends numbers and receives them all, with what repair that takes. */
    List<Long> exchange(int count) {
        send(1, count);
        awaitReceived(count);
        return received;
    }

    void awaitReceived(int count) {
        awaitTrue(count + " received", () -> received.size() >= count);
    }

    void work() {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        subscription.poll((buffer, offset, length, header) -> received.add(buffer.getLong(offset)), 10);
    }

    private void awaitTrue(String what, java.util.function.BooleanSupplier condition) {
        Await.until(what, () -> {
            for (int i = 0; i < 100; i++) {
                work();
                if (condition.getAsBoolean()) {
                    return true;
                }
            }
            return false;
        });
    }

    long counter(SystemCounterDescriptor descriptor) {
        return aeron.countersReader().getCounterValue(descriptor.id());
    }

    long naks() {
        return counter(SystemCounterDescriptor.NAK_MESSAGES_SENT);
    }

    List<Long> received() {
        return received;
    }

    @Override
    public void close() {
        aeron.close();
        driver.close();
    }
}
