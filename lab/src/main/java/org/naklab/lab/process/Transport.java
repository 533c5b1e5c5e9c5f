package org.naklab.lab.process;

import org.naklab.messaging.MessagingContext;

/** From a process's configuration to its messaging context's. */
final class Transport {
    private Transport() {}

    static MessagingContext.Context contextOf(TransportConfig config, ContextWatch watch) {
        return new MessagingContext.Context()
                .name(config.name())
                .channels(config.channels())
                .profile(config.profile())
                .aeronDirectory(config.aeronDirectory())
                .receiveBufferBytes(config.receiveBufferBytes())
                .seed(config.seed())
                .stallThresholdNs(config.stallThresholdNs())
                .idleStrategy(config.idle().newStrategy())
                .listener(watch);
    }
}
