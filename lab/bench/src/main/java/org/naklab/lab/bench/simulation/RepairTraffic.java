package org.naklab.lab.bench.simulation;

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

    /** Returns whether there were more NAKs and repeated datagrams than data during a second, or all of a shorter feed. */
    boolean exceedsData() {
        long balance = 0;
        long sent = 0;
        int length = Math.min(data.length, Math.min(naks.length, repeated.length));
        for (int i = 0; i < length; i++) {
            sent += data[i];
            balance += naks[i] + repeated[i] - data[i];
            if (i >= WINDOWS_PER_SECOND) {
                int left = i - WINDOWS_PER_SECOND;
                sent -= data[left];
                balance -= naks[left] + repeated[left] - data[left];
            }
            if (sent > 0 && balance > 0 && i >= WINDOWS_PER_SECOND - 1) {
                return true;
            }
        }
        return false;
    }

    private static int[] added(int[] counts, long timeNs, int number) {
        int window = Math.toIntExact(timeNs / WINDOW_NS);
        int[] grown = window < counts.length ? counts : Arrays.copyOf(counts, Math.max(window + 1, 2 * counts.length));
        grown[window] += number;
        return grown;
    }
}
