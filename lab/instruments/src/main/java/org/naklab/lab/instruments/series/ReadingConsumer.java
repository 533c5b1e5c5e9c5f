package org.naklab.lab.instruments.series;

/** Takes what a number was at a time. */
@FunctionalInterface
public interface ReadingConsumer {
    void onReading(long timeNs, long value);
}
