package org.naklab.lab.instruments.series;

/** Receives the readings of instruments. Called on the sampler's thread; an implementation neither allocates nor blocks. */
@FunctionalInterface
public interface SampleSink {
    /** A sink for instruments of which only the events are wanted. */
    SampleSink NONE = (series, timeNs, value) -> {};

    void record(Series series, long timeNs, long value);
}
