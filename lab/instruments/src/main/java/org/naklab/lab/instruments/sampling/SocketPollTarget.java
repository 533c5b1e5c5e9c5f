package org.naklab.lab.instruments.sampling;

import org.jspecify.annotations.Nullable;

/** An instrument with sockets that the sampler may look at between two of its samples, if it can. */
public interface SocketPollTarget {
    /** Asked before each sleep; the sampler's thread. */
    @Nullable
    SocketPollTable panel();
}
