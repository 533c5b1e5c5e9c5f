package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.naklab.journaler.JournalVerifier;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.ThreadEvent.SendersWoken;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.testing.LiveRun;

/** The mystery as a user runs it. */
final class MysteryRuns {
    private static final int MOST_LINES = 25;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    private final Path directory;
    private final long patienceNs;

    /** @param directory of the test's own */
    MysteryRuns(Path directory) {
        this(directory, PATIENCE_NS);
    }

    /**
     * Runs that may take longer than others.
     *
     * @param directory of the test's own
     * @param patienceNs how long one run may take, ns
     */
    MysteryRuns(Path directory, long patienceNs) {
        this.directory = directory;
        this.patienceNs = patienceNs;
    }

    /** The document of a run that passed, lost nothing, and kept a journal that verifies. */
    JsonNode pass(String... options) throws IOException {
        NaklabOutcome outcome = run(options);
        assertThat(outcome.exitCode())
                .as("the run in " + directory + " said:\n" + outcome.err() + outcome.out())
                .isZero();
        assertThat(outcome.err()).contains("PASS  mystery as predicted: ", " conditions hold; ");
        assertSummary(outcome.err());
        JsonNode messages = outcome.document().path("messages");
        assertThat(messages.path("missing").asLong()).isZero();
        assertThat(messages.path("journaled").asLong())
                .isEqualTo(messages.path("published").asLong());
        assertThat(JournalVerifier.verify(NaklabProcess.latest(directory).resolve("journal"))
                        .passed())
                .isTrue();
        assertThat(outcome.document().path("stalls"))
                .allMatch(stall -> !stall.path("account").isEmpty());
        assertThat(blockedSendsOnTheTimeline())
                .isEqualTo(outcome.document().path("blockedSends").asLong());
        return outcome.document();
    }

    /** The result first, then where the report is and how it is opened; under 25 lines, and nothing twice. */
    private static void assertSummary(String printed) {
        List<String> summary = printed.lines()
                .dropWhile(line -> !line.startsWith("PASS  "))
                .map(String::strip)
                .toList();
        String whole = String.join(" ", summary);
        assertThat(summary).as(printed).hasSizeBetween(6, MOST_LINES - 1).doesNotHaveDuplicates();
        assertThat(whole.indexOf(" as the scenario says: ")).isBetween(0, whole.indexOf(" report "));
        int report = IntStream.range(0, summary.size())
                .filter(i -> summary.get(i).startsWith("report "))
                .findFirst()
                .orElseThrow();
        assertThat(report).as("the report is among the first lines").isBetween(1, 3);
        assertThat(summary.get(report)).endsWith("report.html");
        assertThat(summary.get(report + 1)).contains(" open ").endsWith("(shows it in the browser)");
        assertThat(whole).contains("--verbose prints all figures and conditions");
        assertThat(whole.split("(?<=[.;]) ", -1)).as("sentences").doesNotHaveDuplicates();
    }

    private long blockedSendsOnTheTimeline() throws IOException {
        Path timeline = NaklabProcess.latest(directory).resolve("timeline.jsonl");
        return TimelineReader.read(timeline).stream()
                .filter(SendersWoken.class::isInstance)
                .mapToLong(woken -> ((SendersWoken) woken).blockedSends())
                .sum();
    }

    /** Returns what an audited run that passed says of its cause. */
    JsonNode diagnosis(String cause) throws IOException {
        assertIncident(pass("--fidelity", "audited"), "audited", cause);
        return Json.read(NaklabProcess.latest(directory).resolve("diagnosis.json"), JsonNode.class);
    }

    NaklabOutcome run(String... options) throws IOException {
        return LiveRun.make("mystery " + String.join(" ", options), () -> runOnce(options));
    }

    NaklabOutcome runOnce(String... options) throws IOException {
        String[] withJson = Arrays.copyOf(options, options.length + 1);
        withJson[options.length] = "--json";
        try (NaklabProcess naklab = NaklabProcess.runScenario("mystery", directory, withJson)) {
            NaklabOutcome outcome = naklab.outcome(patienceNs);
            assertThat(naklab.sharedMemory()).doesNotExist();
            ReplayedCase.assertSame(NaklabProcess.latest(directory));
            return outcome;
        }
    }

    static void assertIncident(JsonNode document, String fidelity, String cause) {
        assertThat(document.path("fidelity").asText()).isEqualTo(fidelity);
        assertThat(document.path("diagnosis").asText()).isEqualTo(cause);
        assertThat(document.path("datagramsDropped").asLong()).isPositive();
        assertThat(document.path("naks").asLong()).isPositive();
        assertThat(document.path("retransmits").asLong()).isPositive();
        assertThat(document.path("stalls")).anySatisfy(stall -> {
            assertThat(stall.path("cause").asText()).isEqualTo(cause);
            assertThat(stall.path("thread").asText()).isEqualTo("mds-context");
        });
    }
}
