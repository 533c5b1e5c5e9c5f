package org.naklab.lab.detect;

import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Wakes up every ten milliseconds, on absolute deadlines, and logs by how much it was late. Of a stall it sees all but the time until
 * the next deadline.
 */
final class TimerAgent implements Agent {
    static final long PERIOD_NS = 10 * Instrument.MILLISECOND_NS;

    /** Between two looks at whether it is to end, if none of them is late. */
    private static final int MAX_TICKS = 10;

    private static final Words NO_WORDS = new Words();

    private final Ticker ticker;
    private final EpisodeLog log;

    /** @param loggedNs lateness from which on an episode is logged, from the deadline to the awakening */
    TimerAgent(NanoClock clock, EpisodeLog log, long loggedNs) {
        this.log = log;
        ticker = new Ticker(clock, PERIOD_NS, loggedNs);
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
        long deadlineNs = ticker.maxLateDeadlineNs();
        long latenessNs = ticker.maxLatenessNs();
        log.considerLongest(deadlineNs, deadlineNs + latenessNs);
        if (ticker.isAlarmed()) {
            log.add(deadlineNs, deadlineNs + latenessNs);
        }
        return 1;
    }

    @Override
    public String roleName() {
        return "detect-timer";
    }
}
