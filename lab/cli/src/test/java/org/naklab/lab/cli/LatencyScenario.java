package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalEntry;
import org.naklab.journaler.JournalReader;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.testing.Matrix;

/**
 * What a stall costs. From the beginning of the stall at time 0 until the service has caught up at time D, the event that was due at x is
 * received at D at the latest, because nothing passes a gap: its latency falls from D to 0. At the rate r, r (D - L) events are therefore later
 * than L. Without loss, D is the stall and the time to drain the socket; with loss, it is the stall and the time until the last repair.
 */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class LatencyScenario {
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double STALL_MS = 150;
    private static final int TOLERANCE_PERCENT = 5;

    @TempDir
    private Path directory;

    @Test
    void shouldDelayTheEventsOfTheStallAndOfTheRepair() throws IOException {
        JsonNode run = run();
        JsonNode stall = stallOf(run);
        long repairedNs = last(TimelineEventType.REPAIRED).timeNs();
        JsonNode latency = latencyOf(run, "mds");

        assertThat(latency.path("repair").path("count").asLong()).isGreaterThan(0);
        assertThat(latency.path("repair").path("maxUs").asDouble() / 1_000)
                .isLessThan((repairedNs - stall.path("atNs").asLong()) / 1e6);
        assertLate(run, stall.path("atNs").asLong(), repairedNs);
    }

    @Test
    void shouldDelayTheEventsOfTheStallWhereABiggerBufferHoldsThem() throws IOException {
        JsonNode run = run("--remedy", "bigger-buffer");
        JsonNode stall = stallOf(run);
        long atNs = stall.path("atNs").asLong();
        long endNs = atNs + (long) (stall.path("durationMs").asDouble() * 1e6);
        long drainedNs = events().stream()
                .filter(event -> event.type() == TimelineEventType.SOCKET_DRAINED)
                .filter(event -> event.process().equals("mds"))
                .mapToLong(TimelineEvent::timeNs)
                .filter(timeNs -> timeNs >= endNs)
                .min()
                .orElseThrow();
        JsonNode latency = latencyOf(run, "mds");

        assertThat(run.path("naks").asLong()).isZero();
        assertThat(latency.path("repair").path("count").asLong()).isZero();
        assertThat(latency.path("dueToBook").path("p999Us").asDouble() / 1_000)
                .as("it hides the loss, not the latency")
                .isGreaterThan(0.9 * STALL_MS);
        assertLate(run, atNs, drainedNs);
    }

    private void assertLate(JsonNode run, long beginNs, long caughtUpNs) {
        long rate = run.path("plan").path("workload").path("eventsPerSecond").asLong();
        double expected = rate * ((caughtUpNs - beginNs - LIMIT_NS) / 1e9);
        long late = lateInJournal(beginNs, caughtUpNs, run.path("epochOffsetNs").asLong());

        assertThat((double) late)
                .as(
                        "events of %d/s received more than 10 ms late, caught up after %.1f ms",
                        rate, (caughtUpNs - beginNs) / 1e6)
                .isCloseTo(expected, withinPercentage(TOLERANCE_PERCENT));
        JsonNode own = latencyOf(run, "mds");
        assertThat(own.path("late").path("over10Ms").asLong()).isGreaterThanOrEqualTo(late);
        assertThat(own.path("dueToBook").path("maxUs").asDouble() / 1_000).isGreaterThan(STALL_MS);
        assertThat(own.path("dueToSent").path("maxUs").asDouble() / 1_000).isLessThan(STALL_MS);
        assertThat(own.path("dueToJournaled").path("count").asLong())
                .isEqualTo(own.path("dueToBook").path("count").asLong());
    }

    /** The journal is a witness of its own: it keeps the due time and the time of receipt of each event. */
    private long lateInJournal(long beginNs, long endNs, long epochOffsetNs) {
        JournalEntry entry = new JournalEntry();
        long late = 0;
        try (JournalReader journal = JournalReader.open(latest().resolve("journal"))) {
            while (journal.next(entry)) {
                if (!entry.isTrailer()) {
                    long dueNs = EventTimes.dueNs(entry.message(), 0);
                    long latencyNs = entry.receiveTimestampNs() - epochOffsetNs - dueNs;
                    late += dueNs > beginNs - LIMIT_NS && dueNs < endNs && latencyNs > LIMIT_NS ? 1 : 0;
                }
            }
        }
        return late;
    }

    private JsonNode run(String... options) throws IOException {
        String[] all = new String[options.length + 4];
        System.arraycopy(options, 0, all, 4, options.length);
        List<String> fixed = List.of("--fidelity", "audited", "--stall", (int) STALL_MS + "ms");
        for (int i = 0; i < fixed.size(); i++) {
            all[i] = fixed.get(i);
        }
        new MysteryRuns(directory).pass(all);
        return Json.read(latest().resolve("run.json"), JsonNode.class);
    }

    private TimelineEvent last(TimelineEventType type) {
        return events().stream()
                .filter(event -> event.type() == type && event.process().equals("mds"))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private List<TimelineEvent> events() {
        return TimelineReader.readWhole(latest().resolve("timeline.jsonl"));
    }

    private Path latest() {
        return NaklabProcess.latest(directory);
    }

    private static JsonNode stallOf(JsonNode run) {
        return StreamSupport.stream(run.path("stalls").spliterator(), false)
                .filter(stall -> stall.path("cause").asText().equals("late-binding-delay"))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode latencyOf(JsonNode run, String process) {
        return StreamSupport.stream(run.path("subscribers").spliterator(), false)
                .filter(subscriber -> subscriber.path("name").asText().equals(process))
                .findFirst()
                .orElseThrow()
                .path("latency");
    }
}
