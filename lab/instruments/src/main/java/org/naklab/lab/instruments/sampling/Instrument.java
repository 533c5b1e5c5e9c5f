package org.naklab.lab.instruments.sampling;

import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.SampleSink;

/** One thing that is watched. Readings go to the sink, what they mean goes to the instrument's {@link TimelineListener}. */
public interface Instrument extends AutoCloseable {
    /** The sampler's period: 1 kHz. */
    long MILLISECOND_NS = 1_000_000L;

    /**
     * Of what need not be read more often, for it keeps its own times or changes slowly, and is read at once when there is something to be
     * heard. Where nobody listens it is read more often.
     */
    long CALM_PERIOD_NS = 100 * MILLISECOND_NS;

    /** Returns a short name for tables. */
    default String name() {
        return getClass().getSimpleName().replace("Instrument", "");
    }

    /** Returns one line that describes what is measured, from which source, and what cannot be measured. */
    String describe();

    /** Nanoseconds until the next sample; rounded up to the sampler's period. Asked anew each time. */
    default long periodNs() {
        return CALM_PERIOD_NS;
    }

    /** Whether it is sampled at once as well when there is something to be heard; one that counts on its period is not. */
    default boolean isCalm() {
        return periodNs() == CALM_PERIOD_NS;
    }

    /** Takes one sample. On the sampler's thread; allocates only when it reports an event. */
    void sample(long nowNs, SampleSink sink);

    /** Looks for what appeared and went: sockets, threads, counters. On the background thread; may allocate and block. */
    default void refresh(long nowNs) {}

    /** Reports what is still going on as such, and lets go of what is held. After the last sample. */
    @Override
    void close();
}
