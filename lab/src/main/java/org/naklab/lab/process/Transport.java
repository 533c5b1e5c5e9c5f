package org.naklab.lab.process;

import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;

/** From a process's configuration to its messaging context's. */
final class Transport {
    private Transport() {}

    static MessagingContext.Context contextOf(TransportConfig config, ContextWatch watch) {
        MessagingContext.Context context = new MessagingContext.Context()
                .name(config.name())
                .channels(config.channels())
                .profile(config.profile())
                .aeronDirectory(config.aeronDirectory())
                .receiveBufferBytes(config.receiveBufferBytes())
                .seed(config.seed())
                .stallThresholdNs(config.stallThresholdNs())
                .idleStrategy(config.idle().newStrategy())
                .listener(watch);
        return config.feedMtuBytes() == 0 ? context : context.mtuBytes(Topic.ORDER_BOOK_EVENTS, config.feedMtuBytes());
    }
}
