package org.naklab.lab.containers.probe;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Counts a probe's datagrams as they come. */
final class ProbeStatistics {
    /** More numbers than any probe sends; a damaged number must not size the set. */
    private static final int MOST_NUMBERS = 1 << 24;

    private final BitSet seen = new BitSet();
    /** Far longer than a probe lasts; what a damaged time says must not size the histogram. */
    private static final long LONGEST_DELAY_US = TimeUnit.MINUTES.toMicros(10);

    private static final int DIGITS = 3;

    private final Histogram delaysUs = new Histogram(LONGEST_DELAY_US, DIGITS);
    /** The histogram rounds its least and largest values. */
    private LongSummaryStatistics extremesUs = new LongSummaryStatistics();

    private long received;
    private long duplicated;
    private long reordered;
    private long damaged;
    private int newest = -1;
    private long latestNs = System.nanoTime();

    synchronized void add(byte[] bytes, int length, long nowNs) {
        received++;
        latestNs = nowNs;
        ByteBuffer payload = ByteBuffer.wrap(bytes, 0, length);
        int number = payload.getInt();
        long sentNs = payload.getLong();
        if (length != ProbeConfig.PAYLOAD_BYTES || number < 0 || number >= MOST_NUMBERS || !isIntact(payload, number)) {
            damaged++;
            return;
        }
        if (seen.get(number)) {
            duplicated++;
        } else if (number < newest) {
            reordered++;
        }
        seen.set(number);
        newest = Math.max(newest, number);
        long delayUs = Math.max(0, Math.min(TimeUnit.NANOSECONDS.toMicros(nowNs - sentNs), LONGEST_DELAY_US));
        delaysUs.recordValue(delayUs);
        extremesUs.accept(delayUs);
    }

    synchronized long latestNs() {
        return latestNs;
    }

    private static boolean isIntact(ByteBuffer payload, int number) {
        while (payload.hasRemaining()) {
            int position = payload.position();
            if (payload.get() != ProbeSource.filling(number, position)) {
                return false;
            }
        }
        return true;
    }

    /** Returns what arrived since the last report, and resets the counters. */
    synchronized ProbeReport report() {
        ProbeReport report = new ProbeReport(
                new ProbeReport.Count(received, seen.cardinality()),
                new ProbeReport.Order(
                        IntStream.range(0, seen.length())
                                .filter(number -> !seen.get(number))
                                .limit(ProbeReport.MOST_GAPS)
                                .boxed()
                                .toList(),
                        duplicated,
                        reordered,
                        damaged),
                new ProbeReport.Delays(
                        extremesUs.getCount() == 0 ? 0 : extremesUs.getMin(),
                        delaysUs.getValueAtPercentile(50),
                        extremesUs.getCount() == 0 ? 0 : extremesUs.getMax()));
        seen.clear();
        delaysUs.reset();
        extremesUs = new LongSummaryStatistics();
        received = 0;
        duplicated = 0;
        reordered = 0;
        damaged = 0;
        newest = -1;
        return report;
    }
}
