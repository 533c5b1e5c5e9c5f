package org.naklab.lab.bench;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.naklab.journaler.Journal;
import org.naklab.journaler.RollPeriod;

/** Appends to the service's journal and times each append: what a new file costs the thread that appends. Receive times pass faster than the clock, so that files roll often. */
public final class JournalRollBench {
    private static final int WARM_UPS = 1;
    private static final int INSTRUMENTS = 8;
    private static final long PERIOD_NS = 300_000_000_000L;
    private static final long LONGEST_NS = 60_000_000_000L;

    private JournalRollBench() {}

    /**
     * The appends of one round.
     *
     * @param longestNs of all appends
     * @param longestAtRollNs of those that began a file; 0 if none did
     * @param longestBetweenNs of the others
     * @param usualNs the median of all
     * @param rolls files that were begun after the first
     */
    public record Round(long longestNs, long longestAtRollNs, long longestBetweenNs, long usualNs, int rolls) {}

    /**
     * Measures.
     *
     * @param rolls files to begin in each round after the first one; 0: the journal stays in one file
     */
    public static List<Round> run(long seed, int events, int rounds, int rolls) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        List<Round> measured = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            try (BenchDirectory directory = new BenchDirectory()) {
                Round one = round(feed, directory, rolls);
                if (round >= 0) {
                    measured.add(one);
                }
            }
        }
        return measured;
    }

    private static Round round(EncodedFeed feed, BenchDirectory directory, int rolls) {
        Histogram latencies = new Histogram(LONGEST_NS, 3);
        // Half a period more, so that the last roll is not the last event.
        long stepNs = rolls == 0 ? 0 : (PERIOD_NS * rolls + PERIOD_NS / 2) / feed.events();
        long longestAtRollNs = 0;
        long longestBetweenNs = 0;
        int begun = 0;
        try (Journal journal = Journal.create(new Journal.Context()
                .directory(directory.disk())
                .rollPeriod(RollPeriod.FIVE_MINUTES)
                .forceOnClose(false)
                .epochNanoClock(() -> 0))) {
            for (int i = 0; i < feed.events(); i++) {
                long receiveNs = i * stepNs;
                boolean isRoll = i > 0 && receiveNs / PERIOD_NS != (receiveNs - stepNs) / PERIOD_NS;
                long beginNs = System.nanoTime();
                journal.append(receiveNs, feed.bytes(), feed.offset(i), feed.length(i));
                long tookNs = System.nanoTime() - beginNs;
                latencies.recordValue(Math.min(LONGEST_NS, tookNs));
                if (isRoll) {
                    begun++;
                    longestAtRollNs = Math.max(longestAtRollNs, tookNs);
                } else {
                    longestBetweenNs = Math.max(longestBetweenNs, tookNs);
                }
            }
        }
        return new Round(
                Math.max(longestAtRollNs, longestBetweenNs),
                longestAtRollNs,
                longestBetweenNs,
                latencies.getValueAtPercentile(50),
                begun);
    }
}
