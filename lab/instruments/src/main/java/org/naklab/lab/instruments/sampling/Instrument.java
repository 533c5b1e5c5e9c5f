package org.naklab.lab.instruments.sampling;

import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.SampleSink;

/** An instrument. Readings go to the sink, events to the instrument's {@link TimelineListener}. */
public interface Instrument extends AutoCloseable {
    /** The sampler's period: 1 kHz. */
    long MILLISECOND_NS = 1_000_000L;

    /**
     * Period of instruments that keep their own times or change slowly, ns: they are read at once when their memory changes.
     * Where nothing watches that memory, they are read more often.
     */
    long CALM_PERIOD_NS = 100 * MILLISECOND_NS;

    /** Returns a short name for tables. */
    default String name() {
        return getClass().getSimpleName().replace("Instrument", "");
    }

    /** Returns what people call it, in a sentence about what it has not seen. */
    default String title() {
        return "the instrument " + name();
    }

    /** Returns one line that describes what is measured, from which source, and what cannot be measured. */
    String describe();

    /** Nanoseconds until the next sample; rounded up to the sampler's period. Asked anew each time. */
    default long periodNs() {
        return CALM_PERIOD_NS;
    }

    /**
     * Returns true if a change of its memory may trigger a sample between two periods; false if the instrument relies on its
     * period.
     */
    default boolean isIdle() {
        return periodNs() == CALM_PERIOD_NS;
    }

    /** Takes one sample. On the sampler's thread; allocates only when it reports an event. */
    void sample(long nowNs, SampleSink sink);

    /**
     * Returns the time until which it has seen all that it looks at; it stays behind the present while something that it depends on does not
     * answer. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    default long reachedNs(long nowNs) {
        return nowNs;
    }

    /** Looks for what appeared and went: sockets, threads, counters. On the background thread; may allocate and block. */
    default void refresh(long nowNs) {}

    /** Returns true if a sample has shown that something appeared or went, so that a refresh should not wait. Any thread. */
    default boolean isRefreshDue() {
        return false;
    }

    /** Reports what is still going on as such, and lets go of what is held. After the last sample. */
    @Override
    void close();
}
