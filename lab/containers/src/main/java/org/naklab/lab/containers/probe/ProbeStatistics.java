package org.naklab.lab.containers.probe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts a probe's datagrams as they come. */
final class ProbeStatistics {
    /** More numbers than any probe sends; a damaged number must not size the set. */
    private static final int MOST_NUMBERS = 1 << 24;

    private final BitSet seen = new BitSet();
    private final List<Long> delaysUs = new ArrayList<>();
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
        delaysUs.add(TimeUnit.NANOSECONDS.toMicros(nowNs - sentNs));
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

    /** What came since the last report. */
    synchronized ProbeReport report() {
        List<Long> sorted = delaysUs.stream().sorted().toList();
        ProbeReport report = new ProbeReport(
                received,
                seen.cardinality(),
                duplicated,
                reordered,
                damaged,
                sorted.isEmpty() ? 0 : sorted.get(0),
                sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2),
                sorted.isEmpty() ? 0 : sorted.get(sorted.size() - 1));
        seen.clear();
        delaysUs.clear();
        received = 0;
        duplicated = 0;
        reordered = 0;
        damaged = 0;
        newest = -1;
        return report;
    }
}
