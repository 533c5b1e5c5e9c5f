package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.Installation;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.report.Report;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.messaging.Ports;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.testing.Matrix;

/**
 * Real runs of the healthy service of which one thing is a lie: none passes, each says what is wrong, and none is called clean. A fault
 * that did not fire is shown by {@link MissingAuditLibraryScenario}, a child that died by {@code InterruptedRunScenario}.
 */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class LiedToScenario {
    private static final int ATTEMPTS = 3;
    private static final String ENDED = "run completed";

    @TempDir
    private Path directory;

    /** The journal of one honest run, damaged and verified anew for each lie. */
    @Test
    void shouldFailWhateverIsDoneToTheJournal() throws IOException, InterruptedException {
        RunResult honest = finished(new Lied(UnaryOperator.identity(), DeploymentEnvironment.NONE));
        assertThat(doubts(honest)).doesNotContain("journal verifies");
        for (JournalLie lie : JournalLie.values()) {
            Path journal = copy(honest.outcome().plan().journalDirectory(), directory.resolve(lie.name()));
            lie.apply(journal);

            RunResult result = RunResult.of(new Baseline(), with(honest.outcome(), JournalVerifier.verify(journal)));

            assertThat(result.verdict()).as(lie.name()).isEqualTo(Verdict.FAIL);
            assertThat(doubts(result)).as(lie.name()).contains("journal verifies");
            assertThat(result.diagnosis()).as(lie.name()).isNotEqualTo("clean");
        }
    }

    @Test
    void shouldFailWhenAnEventIsGoneBeforeTheJournalIsVerified() throws InterruptedException {
        RunResult result = finished(new Lied(plan -> plan, new DeploymentEnvironment() {
            @Override
            public void collect() {
                try {
                    JournalLie.EVENT_DROPPED.apply(latest().resolve("journal"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }));
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(doubts(result)).contains("journal verifies", "journal contains all events");
        assertThat(result.outcome().diagnosis().cause()).isNotEqualTo(Cause.CLEAN);
    }

    /** The instruments look at other ports than the feed's: no drop is seen where nobody looks. */
    @Test
    void shouldNotPassWhatNoInstrumentSaw() throws InterruptedException {
        int elsewhere = Ports.findFreeBase();
        RunResult result = run(new Lied(
                plan -> plan(plan.directory(), TopicChannels.onLoopback(elsewhere)), DeploymentEnvironment.NONE));
        assertThat(result.verdict()).isNotEqualTo(Verdict.PASS);
        assertThat(result.conditions())
                .filteredOn(condition -> condition.claim().equals("datagrams dropped by sockets"))
                .singleElement()
                .satisfies(condition -> {
                    assertThat(condition.verdict()).isEqualTo(Verdict.UNKNOWN);
                    assertThat(condition.figures()).isEqualTo("no instrument observed the sockets of gateway-1, mds");
                });
        assertThat(result.outcome().diagnosis().cause()).isNotEqualTo(Cause.CLEAN);
    }

    /** Links are planted in the places of both files, which are not followed; everything else is kept, and says so. */
    @Test
    void shouldReportEvidenceThatCannotBeWritten() throws IOException, InterruptedException {
        Path victim = directory.resolve("victim");
        Scenario scenario = new Lied(UnaryOperator.identity(), DeploymentEnvironment.NONE);
        RunPlan plan = plan(newDirectory(), TopicChannels.onLoopback(Ports.findFreeBase()));
        Files.createSymbolicLink(plan.directory().resolve("samples.csv.gz"), victim);
        Files.createSymbolicLink(plan.directory().resolve("timeline.jsonl"), victim);

        RunResult result;
        try (RunRecorder recorder = RunRecorder.begin(scenario, plan, "test", List.of())) {
            result = recorder.record(() -> execute(scenario, plan), unfinished -> {});
        }
        Report.write(plan.directory(), List.of());

        assertThat(result.verdict()).isNotEqualTo(Verdict.PASS);
        assertThat(doubts(result)).contains("evidence was written").doesNotContain("run completed");
        assertThat(result.outcome().diagnosis().cause()).isNotEqualTo(Cause.CLEAN);
        JsonNode record = Json.read(plan.directory().resolve("run.json"), JsonNode.class);
        assertThat(record.path("verdict").asText()).isEqualTo(result.verdict().label());
        assertThat(record.path("diagnosis").asText()).isNotEqualTo("clean");
        assertThat(record.path("troubles").toString())
                .contains("cannot write samples", "cannot write timeline", "is there already");
        assertThat(victim).as("what the links lead to").doesNotExist();
        assertThat(Report.of(plan.directory())).isNotEmptyFile();
    }

    /** A busy machine can keep a run from its end, which is another doubt than the one that is looked for. */
    private RunResult finished(Scenario scenario) throws InterruptedException {
        RunResult result = run(scenario);
        for (int i = 1; i < ATTEMPTS && doubts(result).contains(ENDED); i++) {
            result = run(scenario);
        }
        assertThat(doubts(result)).as(result.conditions().toString()).doesNotContain(ENDED);
        return result;
    }

    private RunResult run(Scenario scenario) throws InterruptedException {
        return execute(scenario, plan(newDirectory(), TopicChannels.onLoopback(Ports.findFreeBase())));
    }

    private static RunResult execute(Scenario scenario, RunPlan plan) throws InterruptedException {
        return new ScenarioRun(scenario, plan, Installation.current(), new RunListener() {}, new Cancellation())
                .execute();
    }

    private Path newDirectory() {
        RunDirectory made = RunDirectory.create(directory, "baseline", Instant.EPOCH, 42);
        made.linkLatest();
        return made.path();
    }

    private Path latest() {
        return directory.resolve("latest");
    }

    private static RunPlan plan(Path run, TopicChannels channels) {
        return new RunPlan(
                "baseline",
                Fidelity.NONE,
                Remedy.NONE,
                42,
                new RunPlan.Traffic(
                        new Workload(null, 8, ArrivalPattern.CONSTANT, 1_000, 0, 0, null, TimeUnit.SECONDS.toNanos(1)),
                        RateLimitMode.TRANSPORT,
                        null),
                new RunPlan.Transport(TransportProfile.LBTRM, channels, IdleMode.BACKOFF),
                new RunPlan.Placement(run, ""),
                List.of());
    }

    private static List<String> doubts(RunResult result) {
        return result.conditions().stream()
                .filter(condition -> condition.verdict() != Verdict.PASS)
                .map(Expectation::claim)
                .toList();
    }

    private static Path copy(Path journal, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(journal)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
            }
        }
        return to;
    }

    private static RunOutcome with(RunOutcome outcome, Verification journal) {
        return new RunOutcome(
                outcome.plan(),
                outcome.deployed(),
                outcome.exchange(),
                outcome.subscribers(),
                journal,
                outcome.sockets(),
                outcome.stalls(),
                outcome.events(),
                outcome.troubles(),
                outcome.outsideFaults(),
                outcome.observation(),
                outcome.diagnosis(),
                outcome.epochOffsetNs(),
                outcome.elapsedNs());
    }

    /** The baseline, deployed by another plan than the one that it is judged by, or in an environment that lies. */
    private record Lied(UnaryOperator<RunPlan> change, DeploymentEnvironment environment) implements Scenario {
        @Override
        public String name() {
            return "baseline";
        }

        @Override
        public String summary() {
            return "A lie";
        }

        @Override
        public Workload workload() {
            return new Baseline().workload();
        }

        @Override
        public Deployment deploy(RunPlan plan) {
            Deployment standard = Deployment.standard(change.apply(plan));
            return new Deployment(standard.exchange(), standard.subscribers(), environment);
        }

        @Override
        public List<Expectation> check(RunOutcome outcome) {
            return new Baseline().check(outcome);
        }
    }
}
