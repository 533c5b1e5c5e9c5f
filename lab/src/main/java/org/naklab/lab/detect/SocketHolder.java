package org.naklab.lab.detect;

import org.jspecify.annotations.Nullable;

/** An instrument with sockets that the sampler may look at between two of its samples, if it can. */
interface SocketHolder {
    /** Asked before each sleep; the sampler's thread. */
    @Nullable
    SocketPanel panel();
}
