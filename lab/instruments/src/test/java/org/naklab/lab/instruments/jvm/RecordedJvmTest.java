package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLog;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Await;

/** Compares what JFR tells of a JVM with the safepoint log of the same JVM, both recorded. {@code -Dnaklab.record=true} records them anew. */
@Timeout(120)
class RecordedJvmTest {
    private static final Path KEPT = Path.of("src/test/resources/org/naklab/lab/instruments/jvm/recorded");
    private static final List<String> FILES = List.of("window.jfr", "safepoints.log", "clocks");
    private static final int COLLECTIONS = 8;
    private static final int THREAD_DUMPS = 4;

    /** JFR takes the end of a safepoint after the JVM has written the line of the log. */
    private static final long LOGGING_NS = 1_000_000;

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private MonotonicConverter times;

    @BeforeEach
    void unpack() throws Exception {
        if (Boolean.getBoolean("naklab.record")) {
            record();
        } else {
            for (String file : FILES) {
                InputStream kept = getClass().getResourceAsStream("recorded/" + file + ".gz");
                try (GZIPInputStream in = new GZIPInputStream(Objects.requireNonNull(kept, file))) {
                    Files.copy(in, directory.resolve(file));
                }
            }
        }
        String[] clocks = Files.readString(directory.resolve("clocks")).strip().split(" ", -1);
        times = new MonotonicConverter(() -> Long.parseLong(clocks[0]), () -> Instant.parse(clocks[1]));
    }

    private void record() throws Exception {
        Path log = directory.resolve("safepoints.log");
        Process other = LiveJvmInstrumentTest.start(CollectorProcess.class, SafepointLog.option(log));
        long beginNs = System.nanoTime();
        try (JvmInstrument jvm = JvmInstrument.ofProcess("mds", other.pid(), Duration.ZERO, null, event -> {})) {
            for (int i = 1; i <= COLLECTIONS; i++) {
                int count = i;
                other.getOutputStream().write('\n');
                other.getOutputStream().flush();
                Await.until(
                        "a collection",
                        () -> SafepointLog.read(log).collections().size() == count);
            }
            for (int i = 0; i < THREAD_DUMPS; i++) {
                Jcmd.ask(other.pid(), List.of("Thread.print"));
            }
            jvm.keepWindow(directory, beginNs, System.nanoTime());
        } finally {
            other.destroyForcibly().waitFor();
        }
        Files.writeString(
                directory.resolve("clocks"), System.nanoTime() + " " + Instant.now() + '\n', StandardCharsets.US_ASCII);
        Files.createDirectories(KEPT);
        for (String file : FILES) {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(KEPT.resolve(file + ".gz")))) {
                Files.copy(directory.resolve(file), out);
            }
        }
    }

    private JvmInstrument replayed() throws IOException, InterruptedException {
        return JvmInstrument.ofFile("mds", directory.resolve("window.jfr"), times, Duration.ZERO, events);
    }

    @Test
    void shouldSeeNothingAnyMoreWhenItsStreamHasEnded() throws Exception {
        try (JvmInstrument jvm = replayed()) {
            assertThat(jvm.reachedNs(9_000)).isEqualTo(9_000);
            Await.until("the end", () -> {
                jvm.refresh(7_000);
                return jvm.reachedNs(9_000) == 7_000;
            });
            jvm.refresh(8_000);
            assertThat(jvm.reachedNs(9_000)).isEqualTo(7_000);
        }
    }

    @Test
    void shouldAgreeWithTheLogOnEachOperation() throws Exception {
        SafepointTable logged = new SafepointTable();
        SafepointLog.read(directory.resolve("safepoints.log"))
                .safepoints()
                .forEach(each ->
                        logged.add(each.operation(), each.lengthNs(), each.toSafepointNs(), epochNs(each.beginNs())));
        List<SafepointTable.Row> requested = logged.rows().stream()
                .filter(row -> row.operation().equals("PrintThreads")
                        || row.operation().contains("Collect"))
                .toList();
        try (JvmInstrument jvm = replayed()) {
            assertThat(requested)
                    .extracting(SafepointTable.Row::count)
                    .containsExactlyInAnyOrder((long) COLLECTIONS, (long) THREAD_DUMPS);
            assertThat(requested).allSatisfy(row -> assertAgrees(row, jvm.safepoints()));
        }
    }

    private static void assertAgrees(SafepointTable.Row logged, List<SafepointTable.Row> rows) {
        SafepointTable.Row row = rows.stream()
                .filter(each -> each.operation().equals(logged.operation()))
                .findFirst()
                .orElseThrow();
        assertThat(row.count()).isEqualTo(logged.count());
        assertThat((double) row.totalNs())
                .isBetween(0.99 * logged.totalNs(), 1.01 * logged.totalNs() + row.count() * LOGGING_NS);
        assertThat(row.toSafepointNs()).isBetween(1L, row.totalNs());
        assertThat(row.phase().stream().mapToLong(Long::longValue).sum()).isEqualTo(logged.count());
    }

    @Test
    void shouldReportEachCollectionAndSafepointWithItsRequester() throws Exception {
        try (JvmInstrument jvm = replayed()) {
            assertThat(jvm.summary().longestGcPauseNs()).isPositive();
        }
        assertThat(events.of(TimelineEventType.GC_PAUSE))
                .filteredOn(event -> "System.gc()".equals(event.detail("cause")))
                .hasSize(COLLECTIONS);
        assertThat(events.of(TimelineEventType.SAFEPOINT))
                .filteredOn(event -> event.textDetail("operation").equals("PrintThreads"))
                .hasSize(THREAD_DUMPS)
                .allMatch(event -> event.textDetail("caller").equals("Attach Listener"));
        assertThat(events.of(TimelineEventType.SAFEPOINT))
                .filteredOn(event -> event.textDetail("caller").equals("main"))
                .hasSize(COLLECTIONS)
                .allSatisfy(event -> assertThat(event.longDetail("toSafepointNs", -1))
                        .isBetween(0L, event.longDetail("durationNs", -1)));
        assertThat(events.all()).extracting(TimelineEvent::process).containsOnly("mds");
    }

    private long epochNs(long timeNs) {
        Instant time = times.toInstant(timeNs);
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }
}
