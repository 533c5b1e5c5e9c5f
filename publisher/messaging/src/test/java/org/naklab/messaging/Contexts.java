package org.naklab.messaging;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Settings for contexts of one test: channels of its own, errors kept. */
final class Contexts {
    static final int SMALL_BUFFER_BYTES = 128 * 1024;

    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TopicChannels channels;

    Contexts(int basePort) {
        channels = TopicChannels.onLoopback(basePort);
    }

    MessagingContext.Context named(String name, TransportProfile profile) {
        return new MessagingContext.Context()
                .name(name)
                .channels(channels)
                .profile(profile)
                .errorHandler(errors::add);
    }
}
