package org.naklab.lab.tools.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.journaler.Journal;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linux.CachedPages;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.pipeline.EncodedFeed;
import org.naklab.lab.tools.tune.workload.Figure;
import org.naklab.lab.tools.tune.workload.WorkloadResult;

/** Appends the feed to the journal as the service writes it, and looks how much of the file the kernel read ahead of the writer. */
public final class JournalAppends {
    private static final int INSTRUMENTS = 8;
    private static final int WARM_UPS = 2;
    private static final long PAGE_BYTES = 4_096;
    private static final double BYTES_PER_KIB = 1_024;

    private JournalAppends() {}

    private record Round(double perSecond, double aheadKib) {}

    /** Returns the events per second of each round. */
    public static WorkloadResult run(long seed, int events, int rounds) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        List<Round> measured = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            try (BenchDirectory directory = new BenchDirectory()) {
                Round one = round(feed, directory.disk());
                if (round >= 0) {
                    measured.add(one);
                }
            }
        }
        Journal.Context context = new Journal.Context();
        return new WorkloadResult(
                measured.stream().map(Round::perSecond).toList(),
                List.of(new Figure(
                        "read ahead of the writer, KiB",
                        Median.of(measured.stream().mapToDouble(Round::aheadKib)))),
                List.of(
                        context.isRandomAccess()
                                ? "the journal's pages are advised for random access"
                                : "the journal's pages have no advice"));
    }

    private static Round round(EncodedFeed feed, Path directory) throws IOException {
        try (Journal journal = Journal.create(
                new Journal.Context().directory(directory).forceOnClose(false).epochNanoClock(() -> 0))) {
            // The header was written before the advice could be given; the kernel read around it.
            double readForHeader = bytesFrom(directory, 0);
            long beginNs = System.nanoTime();
            for (int i = 0; i < feed.events(); i++) {
                journal.append(i, feed.bytes(), feed.offset(i), feed.length(i));
            }
            double perSecond = feed.events() * Units.NS_PER_S / (System.nanoTime() - beginNs);
            long position = journal.position();
            long behind = position / PAGE_BYTES * PAGE_BYTES;
            double ahead = bytesFrom(directory, position) - Math.max(0, readForHeader - behind);
            return new Round(perSecond, Math.max(0, ahead) / BYTES_PER_KIB);
        }
    }

    /** Returns how much of the file beyond the page of a position is in the page cache. */
    private static double bytesFrom(Path directory, long position) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Path file = files.filter(path -> path.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no file of a journal in " + directory));
            return CachedPages.bytesFrom(file, position);
        }
    }
}
