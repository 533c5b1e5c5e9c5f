package org.naklab.lab.replica.transport;

import java.io.IOException;
import java.nio.file.Path;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.LabException;
import org.naklab.lab.replica.child.ContextEventReporter;
import org.naklab.messaging.ContextListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;

/** Converts the configuration of a process to that of its messaging context. */
public final class Transport {
    private Transport() {}

    /**
     * Creates the context, verifies that the parent of the Aeron directory is private, and keeps it until this process ends.
     *
     * @throws LabException when other users can write there
     */
    public static MessagingContext.Context contextOf(TransportConfig config, ContextEventReporter watch) {
        hold(config.aeronDirectory());
        MessagingContext.Context context = new MessagingContext.Context()
                .name(config.name())
                .channels(config.channels())
                .profile(config.profile())
                .aeronDirectory(config.aeronDirectory())
                .receiveBufferBytes(config.receiveBufferBytes())
                .seed(config.seed())
                .feedId(config.feedId())
                .stallThresholdNs(config.stallThresholdNs())
                .idleStrategy(config.idle().newStrategy())
                .listener(watch);
        return config.feedMtuBytes() == 0 ? context : context.mtuBytes(Topic.ORDER_BOOK_EVENTS, config.feedMtuBytes());
    }

    /**
     * Creates a second context of the same process, for the snapshots that it sends; its Aeron directory lies beside that of the first.
     *
     * @param listener of its events
     */
    public static MessagingContext.Context snapshotContextOf(TransportConfig config, ContextListener listener) {
        return new MessagingContext.Context()
                .channels(config.channels())
                .profile(config.profile())
                .aeronDirectory(config.aeronDirectory() + "-snapshots")
                .seed(config.seed())
                .feedId(config.feedId())
                .stallThresholdNs(config.stallThresholdNs())
                .idleStrategy(config.idle().newStrategy())
                .listener(listener);
    }

    private static void hold(String aeronDirectory) {
        Path parent = Path.of(aeronDirectory).toAbsolutePath().getParent();
        if (parent == null) {
            throw new LabException("the Aeron directory cannot be " + aeronDirectory);
        }
        try {
            PrivateDirectory.require(parent);
            PrivateDirectory.join(parent);
        } catch (IOException e) {
            throw new LabException("no place for the Aeron directory " + aeronDirectory + ": " + e.getMessage(), e);
        }
    }
}
