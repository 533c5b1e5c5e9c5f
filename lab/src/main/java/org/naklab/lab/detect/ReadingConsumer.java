package org.naklab.lab.detect;

/** Takes what a number was at a time. */
@FunctionalInterface
interface ReadingConsumer {
    void onReading(long timeNs, long value);
}
