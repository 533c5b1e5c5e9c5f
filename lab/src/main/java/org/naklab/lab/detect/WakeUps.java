package org.naklab.lab.detect;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * How late a thread woke up on its deadlines. Only awakenings from a sleep that began before the deadline are told of: a thread that was
 * busy until then is late by its own doing. One thread writes, another may read.
 */
final class WakeUps {
    private static final long LOGGED_NS = Instrument.MILLISECOND_NS;

    private final EpisodeLog log = new EpisodeLog(new UnsafeBuffer(new byte[EpisodeLog.LENGTH]), 0);

    /** The writer's; times on the clock of {@link System#nanoTime()}. */
    void awoke(long deadlineNs, long nowNs) {
        log.considerLongest(deadlineNs, nowNs);
        if (nowNs - deadlineNs >= LOGGED_NS) {
            log.add(deadlineNs, nowNs);
        }
    }

    /** From the deadline to the awakening. */
    EpisodeLog log() {
        return log;
    }
}
