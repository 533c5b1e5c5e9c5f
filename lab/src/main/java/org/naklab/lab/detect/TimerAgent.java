package org.naklab.lab.detect;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Wakes up every four milliseconds, on absolute deadlines, and logs by how much it was late. Of a stall it sees all but the time until
 * the next deadline.
 */
final class TimerAgent implements Agent {
    static final long PERIOD_NS = 4 * Instrument.MILLISECOND_NS;

    private final NanoClock clock;
    private final DeadlineSleeper sleeper = new DeadlineSleeper();
    private final EpisodeLog log;
    private final long loggedNs;
    private long deadlineNs;

    /** @param loggedNs lateness from which on an episode is logged, from the deadline to the awakening */
    TimerAgent(NanoClock clock, EpisodeLog log, long loggedNs) {
        this.clock = clock;
        this.log = log;
        this.loggedNs = loggedNs;
    }

    @Override
    public void onStart() {
        deadlineNs = clock.nanoTime() + PERIOD_NS;
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (nowNs - deadlineNs < 0) {
            sleeper.sleepUntil(deadlineNs);
            nowNs = clock.nanoTime();
        }
        long latenessNs = nowNs - deadlineNs;
        if (latenessNs < 0) {
            return 0;
        }
        log.considerLongest(deadlineNs, nowNs);
        if (latenessNs >= loggedNs) {
            log.add(deadlineNs, nowNs);
        }
        deadlineNs += (latenessNs / PERIOD_NS + 1) * PERIOD_NS;
        return 1;
    }

    @Override
    public String roleName() {
        return "detect-timer";
    }
}
