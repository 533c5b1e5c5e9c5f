package org.naklab.lab.runs.history;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.latency.LatencyRecord.Late;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.runs.history.detail.RunDetails;
import org.naklab.lab.runs.history.detail.SampleSecond;

/** Runs as the history keeps them. */
public final class TestRuns {
    private static final HostFacts HOST =
            new HostFacts("0.1.0", "17.0.15", "6.18.0", "amd64", "A Processor @ 2.50GHz", 2, 8L << 30);

    private TestRuns() {}

    public static HistoryEntry mystery(String startedUtc, long seed) {
        RunRow run = new RunRow(
                "host",
                "/runs/mystery/" + startedUtc.replace(':', '-') + "-" + seed,
                startedUtc,
                new RunCase("mystery", "audited", "none", "lbtrm", seed),
                new RunFinding("pass", "late-binding-delay", "certain"),
                new RunFigures(
                        new RunFigures.Traffic(35_500, 6, 6L), new RunFigures.Harm(376, 6, 12, 312_832), 1, 150.8),
                HOST,
                List.of(new RunRow.Receiver("mds", 6, 376), new RunRow.Receiver("gateway-1", 0, 376)),
                List.of(
                        new LatencyRow(
                                "gateway-1",
                                "dueToBook",
                                30_000,
                                571.4,
                                1_644.5,
                                2_977.8,
                                4_784.1,
                                new Late(1_286, 0, 0)),
                        new LatencyRow(
                                "mds",
                                "dueToBook",
                                30_000,
                                618.5,
                                333_709.3,
                                374_603.8,
                                380_370.9,
                                new Late(4_241, 3_132, 2_117)),
                        new LatencyRow("mds", "repair", 396, 227_803.1, 372_768.8, 372_768.8, 372_768.8, null)),
                new StaleQuotesRecord(12_345, 40, 31, 5_210.5, 371.2, 17, 0.35));
        StallRow stall = new StallRow("mds", "mds-context", 1_795_231_575_013_500_000L, 150.8, 0, "late-binding-delay");
        return new HistoryEntry(run, List.of(stall), details());
    }

    /** Returns details with one row of each table. */
    private static RunDetails details() {
        long yieldEpochNs = 1_795_231_575_013_000_000L;
        return new RunDetails(
                List.of(List.of(
                        new RunDetails.StallPart("sleep", 150.1, "bind of \"sched_yield\", held up"),
                        new RunDetails.StallPart("unexplained", 0.7, ""))),
                new RunDetails.Eviction(yieldEpochNs - 2_000_000_000L, List.of(2.0005)),
                List.of(
                        new RunDetails.Fault(
                                "mds",
                                "lazy-binding",
                                true,
                                true,
                                "the first yield bound sched_yield",
                                Map.of("bindNs", 150_099_427L),
                                List.of(new RunDetails.Firing(yieldEpochNs, 150_099_427, "bind of sched_yield"))),
                        new RunDetails.Fault("mds", "rate-limit-yield", false, null, null, Map.of(), List.of())),
                List.of(
                        new RunDetails.Link("STALL", true, true, yieldEpochNs),
                        new RunDetails.Link("NAK_SENT", false, null, null)),
                List.of(
                        new RunDetails.Event(yieldEpochNs, 150_800_000, "STALL", "mds", "mds-context", 1),
                        new RunDetails.Event(yieldEpochNs + 160_000_000, 0, "NAK_SENT", "mds", "mds-context", 6)),
                List.of(new SampleSecond(
                        SeriesName.of("socket.mds.0.0.0.0:56308#774632.depthBytes"), 1_795_231_575, 3, 0, 312_832, 7)),
                new RunDetails.LeftOut(0, 31),
                List.of(new CustomersRecord(
                        "mds",
                        new CustomersRecord.Kinds(2, 1, 1, 16),
                        new CustomersRecord.Books(20, 4, 0),
                        new CustomersRecord.Slow(3, 1, 1, 0, 2_500),
                        new CustomersRecord.Traffic(7, 65_536, 1_200_000),
                        null,
                        new CustomersRecord.Lateness(
                                new LatencyRecord.Hop(40_000, 900, 2_000, 150_000, 163_000),
                                new LatencyRecord.Hop(9_000, 950, 2_100, 151_000, 163_500),
                                new StaleQuotesRecord(12_345, 41, 32, 5_300.5, 372.4, 17, 0.35)))));
    }

    public static RunRow run(String startedUtc, String scenario, String remedy, RunFigures figures) {
        return new RunRow(
                "host",
                "/runs/" + scenario + "/" + startedUtc.replace(':', '-') + "-1",
                startedUtc,
                new RunCase(scenario, "audited", remedy, "lbtrm", 1),
                new RunFinding("pass", "clean", null),
                figures,
                HOST);
    }

    /** Returns figures with NAKs, {@code null} if they are not known, and retransmits. */
    public static RunFigures figures(@Nullable Long serviceNaks, long retransmits) {
        return new RunFigures(
                new RunFigures.Traffic(1_000, serviceNaks == null ? 0 : serviceNaks, serviceNaks),
                new RunFigures.Harm(0, retransmits, 0, 832),
                0,
                0);
    }
}
