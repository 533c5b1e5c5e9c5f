package org.naklab.lab.instruments.threads;

import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.SampleTimer;
import org.naklab.lab.instruments.sampling.Watchpoints;
import org.naklab.lab.instruments.series.IntervalRing;

/**
 * Wakes up every ten milliseconds, on absolute deadlines, and logs by how much it was late. Of a stall it sees all but the time until
 * the next deadline.
 */
final class HiccupAgent implements Agent {
    static final long PERIOD_NS = 10 * Instrument.MILLISECOND_NS;

    /** Ticks between two checks whether the agent is closed, if none of them is late. */
    private static final int MAX_TICKS = 10;

    private static final Watchpoints NO_WORDS = new Watchpoints();

    private final SampleTimer ticker;
    private final IntervalRing log;
    private volatile long reachedNs;

    /** @param loggedNs lateness from which on an episode is logged, from the deadline to the awakening */
    HiccupAgent(NanoClock clock, IntervalRing log, long loggedNs) {
        this.log = log;
        reachedNs = clock.nanoTime();
        ticker = new SampleTimer(clock, PERIOD_NS, loggedNs);
    }

    @Override
    public void onStart() {
        ticker.start();
    }

    @Override
    public int doWork() {
        ticker.await(MAX_TICKS, List.of(), NO_WORDS);
        if (ticker.ticks() == 0) {
            return 0;
        }
        reachedNs = ticker.nowNs();
        long deadlineNs = ticker.maxLateDeadlineNs();
        long latenessNs = ticker.maxLatenessNs();
        log.considerLongest(deadlineNs, deadlineNs + latenessNs);
        if (ticker.isAlarmed()) {
            log.add(deadlineNs, deadlineNs + latenessNs);
        }
        return 1;
    }

    /** Returns when the timer last fired, ns; before, when the agent was made. Any thread. */
    long reachedNs() {
        return reachedNs;
    }

    @Override
    public String roleName() {
        return "naklab-timer";
    }
}
