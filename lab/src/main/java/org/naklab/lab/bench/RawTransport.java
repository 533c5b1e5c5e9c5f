package org.naklab.lab.bench;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Plain Aeron for one thread: a driver in invoker mode and its client, set as the service's context sets them but with
 * nothing of the replica in between.
 */
final class RawTransport implements AutoCloseable {
    private static final int TERM_BYTES = 16 * 1024 * 1024;
    private static final int MAX_SPINS = 10;
    private static final int MAX_YIELDS = 5;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 100_000;

    private final MediaDriver driver;
    private final Aeron client;

    RawTransport(String directory) {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(true)
                .publicationTermBufferLength(TERM_BYTES)
                .socketRcvbufLength(receiveBufferBytes());
        driver = MediaDriver.launch(context);
        client = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory)
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
    }

    Aeron client() {
        return client;
    }

    /** One duty cycle of driver and client. */
    int doWork() {
        return driver.sharedAgentInvoker().invoke()
                + client.conductorAgentInvoker().invoke();
    }

    static IdleStrategy idleStrategy() {
        return new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }

    /** As much as the kernel grants: the bench measures work, not loss. */
    static int receiveBufferBytes() {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_RCVBUF, Integer.MAX_VALUE);
            return probe.getOption(StandardSocketOptions.SO_RCVBUF) / 2;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a UDP socket", e);
        }
    }

    @Override
    public void close() {
        CloseHelper.closeAll(client, driver);
    }
}
