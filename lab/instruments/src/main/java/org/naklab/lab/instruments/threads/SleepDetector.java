package org.naklab.lab.instruments.threads;

import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;

/**
 * Detects long sleeps of a thread: it was not runnable, and no CPU time was stolen from it. The reported interval is the
 * observed one, from the first sample that saw it asleep to the last; a thread that did not run in between has slept
 * throughout. One thread.
 */
final class SleepDetector {
    /** Far above what an idle thread parks for. */
    static final long REPORTED_NS = 10 * Instrument.MILLISECOND_NS;

    private final String process;
    private final String thread;
    private final TimelineListener listener;
    private boolean asleep;
    private long beganNs;
    private long seenNs;

    SleepDetector(String process, String thread, TimelineListener listener) {
        this.process = process;
        this.thread = thread;
        this.listener = listener;
    }

    /**
     * Takes the values of one sample.
     *
     * @param hasRun whether it may have run since the sample before
     * @param isAsleep whether it was seen asleep at this one
     * @param waitedNs for a processor since the sample before, if it has run: it was awake by then, and looked the same
     */
    void note(long nowNs, boolean hasRun, boolean isAsleep, long waitedNs) {
        if (asleep && hasRun) {
            seenNs = Math.min(seenNs, nowNs - waitedNs);
            end();
        }
        if (isAsleep) {
            beganNs = asleep ? beganNs : nowNs;
            seenNs = nowNs;
            asleep = true;
        }
    }

    /** Ends the observation. */
    void end() {
        if (asleep && seenNs - beganNs >= REPORTED_NS) {
            listener.onEvent(new ThreadEvent.Slept(new Interval(beganNs, seenNs), process, thread));
        }
        asleep = false;
    }
}
