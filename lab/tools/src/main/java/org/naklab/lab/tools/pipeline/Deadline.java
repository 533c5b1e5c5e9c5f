package org.naklab.lab.tools.pipeline;

import java.util.concurrent.TimeUnit;

/** Ends a measurement that has stopped getting anywhere. */
final class Deadline {
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(20);

    private final String what;
    private long lastProgress = -1;
    private long lastProgressNs = System.nanoTime();

    Deadline(String what) {
        this.what = what;
    }

    /**
     * @param progress any figure that changes as long as things move
     * @throws IllegalStateException when it has not changed for 20 s
     */
    void check(long progress) {
        long nowNs = System.nanoTime();
        if (progress != lastProgress) {
            lastProgress = progress;
            lastProgressNs = nowNs;
        } else if (nowNs - lastProgressNs > QUIET_NS) {
            throw new IllegalStateException(what + " has got nowhere for 20 s, after " + progress + " messages");
        }
    }
}
