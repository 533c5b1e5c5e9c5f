package org.naklab.lab.tools.pipeline;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.naklab.files.FileTrees;

/**
 * Plain Aeron for one thread: a driver in invoker mode and its client, set as the service's context sets them but with
 * nothing of the replica in between.
 */
final class RawTransport implements AutoCloseable {
    private static final int TERM_BYTES = 16 * 1024 * 1024;

    private final MediaDriver driver;
    private final Aeron client;

    /** @param directory does not exist, below one that is private */
    RawTransport(String directory) {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.INVOKER)
                .asyncExecutorEnabled(false)
                .dirDeleteOnStart(false)
                .dirDeleteOnShutdown(false)
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

    /** Runs one duty cycle of driver and client. */
    int doWork() {
        return driver.sharedAgentInvoker().invoke()
                + client.conductorAgentInvoker().invoke();
    }

    /** Returns the largest receive buffer that the kernel grants, bytes: the benchmark measures work, not loss. */
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
        CloseHelper.closeAll(client, driver, () -> FileTrees.delete(Path.of(driver.aeronDirectoryName())));
    }
}
