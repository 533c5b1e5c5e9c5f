package org.naklab.lab.studies.simulation;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Counts data, NAKs and repeated datagrams in windows of 100 ms. */
final class RepairTraffic {
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int WINDOWS_PER_SECOND = 10;

    private int[] naks = new int[64];
    private int[] repeated = new int[64];
    private int[] data = new int[64];

    void addNak(long timeNs) {
        naks = added(naks, timeNs, 1);
    }

    void addRepeated(long timeNs, int datagrams) {
        repeated = added(repeated, timeNs, datagrams);
    }

    void addData(long timeNs) {
        data = added(data, timeNs, 1);
    }

    /** Returns the most NAKs in a window, per second. */
    long peakNaksPerSecond() {
        return (long) WINDOWS_PER_SECOND * Arrays.stream(naks).max().orElse(0);
    }

    /** Returns the most repeated datagrams in a window, per second. */
    long peakRepeatedPerSecond() {
        return (long) WINDOWS_PER_SECOND * Arrays.stream(repeated).max().orElse(0);
    }

    /** Returns whether there were more NAKs and repeated datagrams than data during a second of the feed, or during all of a shorter feed. */
    boolean exceedsData() {
        int end = endOfData();
        long balance = 0;
        for (int i = 0; i < end; i++) {
            balance += balance(i) - (i < WINDOWS_PER_SECOND ? 0 : balance(i - WINDOWS_PER_SECOND));
            if (balance > 0 && i >= Math.min(WINDOWS_PER_SECOND, end) - 1) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of windows up to the last one with data; a repair after the end of the feed competes with nothing. */
    private int endOfData() {
        int end = data.length;
        while (end > 0 && data[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private long balance(int window) {
        return at(naks, window) + at(repeated, window) - at(data, window);
    }

    private static long at(int[] counts, int window) {
        return window < counts.length ? counts[window] : 0;
    }

    private static int[] added(int[] counts, long timeNs, int number) {
        int window = Math.toIntExact(timeNs / WINDOW_NS);
        int[] grown = window < counts.length ? counts : Arrays.copyOf(counts, Math.max(window + 1, 2 * counts.length));
        grown[window] += number;
        return grown;
    }
}
