package org.naklab.lab.campaign;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.runs.calendar.CalendarPage;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;

/**
 * Measures the CPU time of the calendar and of the page of a campaign, the first time in this JVM and then, with 1,000 and with 100,000 runs in the history and as many seeds of ten
 * campaigns. Argument: the URL of an empty history; without one, a file that is deleted in the end.
 */
final class HistoryBenchmark {
    private static final int[] SIZES = {1_000, 100_000};
    private static final int CAMPAIGNS = 10;
    private static final int ROUNDS = 9;
    private static final int RECEIVERS = 3;
    private static final Instant FIRST = Instant.parse("2026-10-01T00:00:00.123Z");
    private static final int APART_S = 60;
    private static final double NS_PER_MS = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private HistoryBenchmark() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("naklab-history");
        try {
            HistoryUrl url = args.length == 0 ? HistoryUrl.inRuns(directory) : HistoryUrl.of(args[0]);
            int runs = 0;
            for (int size : SIZES) {
                addRuns(url, runs, size);
                runs = size;
                addCampaigns(url, size);
                measure(url, directory, size);
            }
        } finally {
            FileTrees.delete(directory);
        }
    }

    private static void measure(HistoryUrl url, Path directory, int size) {
        Path page = directory.resolve("index.html");
        time(size, "open the history, count the runs of each day", () -> History.openExisting(url)
                .days(null)
                .size());
        time(size, "the page of the calendar", () -> {
            History.Latest latest = History.openExisting(url).latest(null, CalendarPage.MAX_RUNS);
            CalendarPage.write(page, latest, List.of(), FIRST);
            return latest.runs().size();
        });
        time(size, "the page of a campaign of a tenth of the seeds", () -> {
            CampaignStore store = CampaignStore.existing(url);
            Campaign campaign = store.find(name(size, 0)).orElseThrow();
            return CampaignPage.keep(directory, store, campaign)
                    .report()
                    .findings()
                    .arms()
                    .size();
        });
    }

    private static void time(int size, String what, IntSupplier work) {
        double[] times = new double[ROUNDS];
        Arrays.setAll(times, round -> {
            long beganNs = THREADS.getCurrentThreadCpuTime();
            if (work.getAsInt() == 0) {
                throw new IllegalStateException("nothing was read");
            }
            return (THREADS.getCurrentThreadCpuTime() - beganNs) / NS_PER_MS;
        });
        double first = times[0];
        Arrays.sort(times);
        System.out.printf(
                Locale.ROOT,
                "%,7d rows: %s: first %.0f ms of CPU, median %.0f ms%n",
                size,
                what,
                first,
                times[ROUNDS / 2]);
    }

    private static String name(int size, int number) {
        return "campaign-" + size + "-" + number;
    }

    private static void addCampaigns(HistoryUrl url, int size) {
        CampaignStore store = new CampaignStore(url);
        Rehearsal rehearsal = new Rehearsal(0.05);
        for (int i = 0; i < CAMPAIGNS; i++) {
            CampaignPlan plan = CampaignFixture.plan(size / CAMPAIGNS / 2);
            store.begin(name(size, i), plan, null, CampaignFixture.NOW);
            store.recordAll(
                    name(size, i),
                    plan.cells().stream()
                            .flatMap(cell -> LongStream.rangeClosed(
                                            plan.grid().firstSeed(), plan.grid().lastSeed())
                                    .mapToObj(seed -> new TrialRow(
                                            cell,
                                            seed,
                                            rehearsal.run(cell, seed, List.of(), new Cancellation()),
                                            1,
                                            null,
                                            "host",
                                            CampaignFixture.NOW)))
                            .toList());
        }
    }

    /** Adds runs with the numbers from one up to another, in one transaction: as many of them one by one take minutes. */
    private static void addRuns(HistoryUrl url, int from, int to) {
        History.open(url).transact(connection -> {
            try (PreparedStatement run = connection.prepareStatement(
                            "INSERT INTO run (host, run_directory, started_utc,"
                                    + " scenario, remedy, seed, verdict, fidelity, profile, diagnosis, messages, naks,"
                                    + " datagrams_dropped, retransmits, blocked_sends, max_socket_depth_bytes, stalls,"
                                    + " longest_stall_ms, naklab, jdk, kernel, architecture, processor, cores, memory_bytes)"
                                    + " VALUES ('host', ?, ?, ?, ?, ?, ?, 'simulated', 'lbtrm', 'late-binding-delay', 35500, 6,"
                                    + " 376, 6, 12, 312832, 1, 150.8, '0', '17', '6.18', 'amd64', 'processor', 2, 8000000000)");
                    PreparedStatement receiver =
                            connection.prepareStatement("INSERT INTO receiver VALUES ('host', ?, ?, ?, 6, 376)");
                    PreparedStatement latency = connection.prepareStatement("INSERT INTO latency VALUES"
                            + " ('host', ?, ?, 'dueToBook', 30000, 571.4, 1644.5, 2977.8, 4784.1, 1286, 0, 0)")) {
                for (int number = from; number < to; number++) {
                    String startedUtc =
                            FIRST.plusSeconds((long) APART_S * number).toString();
                    String directory = "/runs/mystery/" + startedUtc.replace(':', '-') + "-" + number;
                    run.setString(1, directory);
                    run.setString(2, startedUtc);
                    run.setString(3, number % 2 == 0 ? "mystery" : "baseline");
                    run.setString(4, number % 3 == 0 ? "none" : "bind-now");
                    run.setLong(5, number);
                    run.setString(6, number % 20 == 0 ? "fail" : "pass");
                    run.addBatch();
                    for (int i = 0; i < RECEIVERS; i++) {
                        receiver.setString(1, directory);
                        receiver.setInt(2, i);
                        receiver.setString(3, "receiver-" + i);
                        receiver.addBatch();
                        latency.setString(1, directory);
                        latency.setString(2, "receiver-" + i);
                        latency.addBatch();
                    }
                }
                run.executeBatch();
                receiver.executeBatch();
                latency.executeBatch();
            }
            return url;
        });
    }
}
