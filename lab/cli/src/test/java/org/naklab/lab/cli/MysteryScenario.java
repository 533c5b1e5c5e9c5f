package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;

/** The mystery with processes of this machine. */
@Live(runs = 4)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class MysteryScenario {
    /** The limit is hit between the third and the fourth second of the counted part, two seconds after the flow began; the default leaves more time after it. */
    private static final String FLOW_SECONDS = "7";

    @TempDir
    private Path directory;

    @Test
    void shouldReproduceTheIncident() throws IOException {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        JsonNode diagnosis = runs().diagnosis("late-binding-delay");
        assertThat(diagnosis.path("confidence").asText()).isEqualTo("certain");
        assertChain(diagnosis);
        assertSleepInTheAuditLibrary();
        assertStackFromTheLinkerToTheRateController();
    }

    /** The native frames are the kernel recorder's, and the Java frames below them are JFR's. */
    private void assertStackFromTheLinkerToTheRateController() throws IOException {
        Path run = NaklabProcess.latest(directory);
        Document report = Jsoup.parse(run.resolve("report.html").toFile());
        assertThat(report.select("[data-wait] + pre").eachText()).anySatisfy(stack -> assertThat(stack)
                .containsSubsequence("la_symbind64", "_dl_fixup", "_dl_runtime_resolve", "RateController."));
    }

    /** The kernel's record finds the sleep, and where, without knowing of the fault. */
    private void assertSleepInTheAuditLibrary() throws IOException {
        assertThat(run().path("stalls"))
                .filteredOn(stall -> stall.path("cause").asText().equals("late-binding-delay"))
                .singleElement()
                .satisfies(stall -> assertThat(stall.path("account")).anySatisfy(entry -> {
                    assertThat(entry.path("kind").asText()).isEqualTo("sleep");
                    assertThat(entry.path("detail").asText()).endsWith("in la_symbind64");
                    assertThat(entry.path("ms").asDouble())
                            .isGreaterThan(stall.path("durationMs").asDouble() / 2);
                }));
    }

    @Test
    void shouldReproduceTheIncidentSimulated() throws IOException {
        JsonNode document = runs().pass("--fidelity", "simulated", "--duration", FLOW_SECONDS);
        MysteryRuns.assertIncident(document, "simulated", "late-binding-simulated");
    }

    @Test
    void shouldBeCuredByBindNow() throws IOException {
        assertCured(runs().pass("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "bind-now"));
    }

    @Test
    @Matrix
    void shouldBeCuredByPreTouch() throws IOException {
        assertCured(runs().pass("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "pre-touch"));
        assertThat(used().path("lockedBytes").asLong())
                .as("the price of the locked pages")
                .isPositive();
        assertThat(used().path("memoryBytes").asLong())
                .isGreaterThan(used().path("lockedBytes").asLong());
        assertThat(used().path("cpuMs").asLong()).isPositive();
        assertThat(used().path("startMs").asLong()).isPositive();
    }

    /** A customer of the service saw an old price as long as the service was stalled: in the sentence of the run, in its report and in the history. */
    @Test
    @Matrix
    void shouldTellWhatCustomersSaw() throws IOException {
        NaklabOutcome outcome = runs().run("--fidelity", "simulated", "--duration", FLOW_SECONDS, "--clients", "3");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        Matcher sentence = Pattern.compile("customers of the service saw prices that were up to ([\\d.]+) ms old")
                .matcher(outcome.err().replaceAll("\\s+", " "));
        assertThat(sentence.find()).as(outcome.err()).isTrue();
        JsonNode service = run().path("customers").get(0);
        assertThat(service.path("server").asText()).isEqualTo("mds");
        double longestMs = service.path("staleQuotes").path("longestMs").asDouble();
        assertThat(Double.parseDouble(sentence.group(1)))
                .isCloseTo(longestMs, within(1.0))
                .isGreaterThan(100);
        Document report = Jsoup.parse(
                NaklabProcess.latest(directory).resolve("report.html").toFile());
        assertThat(report.text()).contains(sentence.group()).contains("customers of mds: 3, due to client p50");
        assertThat(exported("customers")).anySatisfy(row -> {
            assertThat(row).containsEntry("server", "mds").containsEntry("same_books", "3");
            assertThat(Double.parseDouble(row.getOrDefault("stale_longest_ms", "")))
                    .isCloseTo(longestMs, within(0.001));
        });
    }

    /** Returns the rows of a table of the history, as a spreadsheet reads them. */
    private List<Map<String, String>> exported(String table) {
        try (NaklabProcess history = NaklabProcess.command(
                directory,
                "history",
                "--csv",
                "-",
                "--table",
                table,
                "--runs",
                directory.resolve("runs").toString())) {
            NaklabOutcome outcome = history.outcome();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            List<String> lines = outcome.out().lines().toList();
            String[] names = lines.get(0).split(",", -1);
            return lines.stream()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .map(cells -> IntStream.range(0, names.length)
                            .boxed()
                            .collect(Collectors.toMap(i -> names[i], i -> cells[i])))
                    .toList();
        }
    }

    private JsonNode run() throws IOException {
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
    }

    /** What the service needed, by its own account. */
    private JsonNode used() throws IOException {
        return NaklabProcess.reported(directory, "RESOURCES_USED", "mds");
    }

    @Test
    @Matrix
    void shouldBeCuredByApplicationRateLimit() throws IOException {
        assertCured(
                runs().pass("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "application-rate-limit"));
    }

    @Test
    @Matrix
    void shouldBeCuredByNotYielding() throws IOException {
        assertCured(runs().pass("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "no-yield"));
    }

    /** The bind is as late as without the remedy, but no thread waits for it that receives. */
    @Test
    @Matrix
    void shouldBeCuredByAContextOfTheSnapshotsOwn() throws IOException {
        assertCured(runs().pass("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "own-context"));
        assertThat(run().path("conditions")).anySatisfy(condition -> {
            assertThat(condition.path("claim").asText()).isEqualTo("fault: the symbol was bound late");
            assertThat(condition.path("verdict").asText()).isEqualTo("pass");
        });
    }

    @Test
    void shouldOnlyBeHiddenByABiggerBuffer() throws IOException {
        NaklabOutcome outcome =
                runs().run("--fidelity", "audited", "--duration", FLOW_SECONDS, "--remedy", "bigger-buffer");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.document().path("stalls"))
                .filteredOn(stall -> stall.path("cause").asText().equals("late-binding-delay"))
                .singleElement()
                .satisfies(stall -> assertThat(stall.path("thread").asText()).isEqualTo("mds-context"));
        assertThat(outcome.document().path("naks").asLong()).isZero();
        assertThat(outcome.err()).contains("hidden, not cured");
    }

    @Test
    @Matrix
    void shouldHaveNoVerdictWhereTheLimiterNeverTrips() throws IOException {
        NaklabOutcome outcome =
                runs().runOnce("--fidelity", "audited", "--duration", FLOW_SECONDS, "--instruments", "1");
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
        assertThat(outcome.document().path("verdict").asText()).isEqualTo("unknown");
        assertThat(outcome.document().path("stalls"))
                .noneMatch(stall -> stall.path("cause").asText().startsWith("late-binding"));
        assertThat(outcome.err()).contains("the rate limit was never hit");
    }

    private MysteryRuns runs() {
        return new MysteryRuns(directory);
    }

    /** From the rate limit to the repair, and that bind and stall begin together: what a claim about the cause stands on. */
    private static void assertChain(JsonNode diagnosis) {
        JsonNode chain = diagnosis.path("chain");
        assertThat(chain.findValuesAsText("link"))
                .containsExactly(
                        "RATE_LIMIT_HIT",
                        "WAKE_FAILED",
                        "SYMBOL_BOUND",
                        "STALL",
                        "SOCKET_DEPTH_RISE",
                        "DATAGRAMS_DROPPED",
                        "NAK_SENT",
                        "RETRANSMIT_RECEIVED",
                        "REPAIRED");
        assertThat(chain).allSatisfy(link -> {
            assertThat(link.path("present").asBoolean()).as("%s", link).isTrue();
            assertThat(link.path("inOrder").asBoolean()).as("%s", link).isTrue();
        });
    }

    private static void assertCured(JsonNode document) {
        assertThat(document.path("diagnosis").asText()).isEqualTo("clean");
        assertThat(document.path("naks").asLong()).isZero();
        assertThat(document.path("datagramsDropped").asLong()).isZero();
    }
}
