package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.Installation;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.runner.RunListener;
import org.naklab.lab.scenarios.runner.RunProgress;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.lab.scenarios.soak.Soak;
import org.naklab.lab.scenarios.soak.SoakPlan;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Ports;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** A short soak from a fixed seed, and one of which damage is left. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class SoakScenario {
    private static final long SEED = 3;
    private static final String DURATION = "15s";

    @TempDir
    private Path directory;

    @Test
    void shouldHoldAllInvariantsUnderTheFaultsOfASeed() throws IOException {
        NaklabOutcome outcome = LiveRun.make(
                "SoakScenario", () -> soak("--rate", "2000", "--json", "--port", String.valueOf(FreePorts.pair())));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();

        JsonNode document = Json.parse(outcome.out());
        assertThat(document.path("verdict").asText()).isEqualTo("pass");
        assertThat(document.path("run").path("scenario").asText()).isEqualTo("soak");
        assertThat(document.path("shortest").isNull()).isTrue();
        FaultPlan drawn = SoakPlan.of(SEED, TimeUnit.SECONDS.toNanos(15));
        FaultPlan plan = SoakPlan.without(drawn, SoakPlan.obstacles(drawn).keySet());
        assertThat(document.path("faults").asInt()).isEqualTo(plan.faults().size());
        Path file = Path.of(document.path("plan").asText());
        assertThat(FaultPlan.fromJson(Files.readString(file)).toJson()).isEqualTo(plan.toJson());

        ReplayedCase.assertSame(NaklabProcess.latest(directory));
        JsonNode record =
                Json.parse(Files.readString(NaklabProcess.latest(directory).resolve("run.json")));
        assertThat(record.path("replay").asText())
                .contains(" run soak --seed 3 ")
                .endsWith(" --plan " + file);
        assertThat(record.path("plan").path("addedFaults"))
                .hasSize(plan.faults().size());
        assertThat(record.path("resources").findValuesAsText("process"))
                .containsExactlyInAnyOrder("mds", "gateway-1", "gateway-2", "exchange", "lab");
        assertThat(record.path("conditions").findValuesAsText("claim"))
                .contains(
                        "faults were undone",
                        "order books of mds equal those of the journal",
                        "lab left no child process",
                        "resident pages of the journal are bounded");
    }

    @Test
    void shouldPrintAPlanWithoutRunningIt() {
        NaklabOutcome outcome = soak("--dry-run");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(FaultPlan.fromJson(outcome.out()).seed()).isEqualTo(SEED);
        assertThat(directory.resolve("runs")).doesNotExist();
    }

    private NaklabOutcome soak(String... options) {
        List<String> arguments = new ArrayList<>(List.of("soak", "--seed", String.valueOf(SEED)));
        arguments.addAll(List.of(
                "--duration", DURATION, "--runs", directory.resolve("runs").toString()));
        arguments.addAll(List.of(options));
        try (NaklabProcess naklab = NaklabProcess.command(directory, arguments.toArray(String[]::new))) {
            return naklab.outcome();
        }
    }

    /** An event that is gone, a descriptor and a process that are left, and a thread that is still bound to a CPU. */
    @Test
    void shouldFailOnDamageThatIsLeft() throws IOException, InterruptedException {
        RunDirectory made = RunDirectory.create(directory, Soak.NAME, Instant.EPOCH, SEED);
        try (Damage damage = new Damage(made.path())) {
            RunResult result = new ScenarioRun(
                            new Damaged(damage.environment()),
                            plan(made.path()),
                            Installation.current(),
                            damage,
                            new Cancellation())
                    .execute();
            assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(result.conditions())
                    .filteredOn(condition -> condition.verdict() == Verdict.FAIL)
                    .extracting(Expectation::claim)
                    .contains(
                            "journal contains all events",
                            "lab leaked no descriptor",
                            "lab left no child process",
                            "mds is not stopped, and its threads may use their CPUs again");
        }
    }

    private static RunPlan plan(Path run) {
        Workload usual = new Soak().workload();
        return new RunPlan(
                Soak.NAME,
                Fidelity.NONE,
                Remedy.NONE,
                SEED,
                new RunPlan.Traffic(
                        usual.withEventsPerSecond(1_000).withDurationNs(TimeUnit.SECONDS.toNanos(7)),
                        RateLimitMode.TRANSPORT,
                        null),
                new RunPlan.Transport(
                        TransportProfile.LBTRM, TopicChannels.onLoopback(Ports.findFreeBase()), IdleMode.BACKOFF),
                new RunPlan.Placement(run, ""),
                List.of());
    }

    /** Plants damage while the run goes on, in the way in which a defect would leave it. */
    private static final class Damage implements RunListener, AutoCloseable {
        private static final long AFTER_THE_FIRST_READING_NS = Soak.WARM_UP_NS + TimeUnit.SECONDS.toNanos(2);

        private final Path run;
        private final Map<String, Long> pids = new HashMap<>();
        /** Left by a helper that has ended: no direct child of the lab when it was started. */
        private @Nullable ProcessHandle process;

        private @Nullable InputStream descriptor;

        Damage(Path run) {
            this.run = run;
        }

        @Override
        public void onReady(String name, long pid, int grantedReceiveBufferBytes) {
            pids.put(name, pid);
        }

        @Override
        public void onProgress(RunProgress progress) {
            if (process == null && progress.elapsedNs() > AFTER_THE_FIRST_READING_NS) {
                try {
                    process = leftByAHelper();
                    descriptor = Files.newInputStream(Files.createFile(run.resolve("left-open")));
                    bindReceiptThread();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static ProcessHandle leftByAHelper() throws IOException {
            Process helper = new ProcessBuilder("sh", "-c", "sleep 300 >/dev/null 2>&1 & echo $!").start();
            String pid = new String(helper.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        }

        private void bindReceiptThread() throws IOException, InterruptedException {
            int thread = new ProcessThreads(pids.getOrDefault(Deployment.SERVICE, 0L))
                    .find(MessagingContext.threadName(Deployment.SERVICE))
                    .orElseThrow();
            String cpus = Files.readString(Path.of("/proc/self/status"))
                    .lines()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceFirst(".*:\\s*(\\d+).*", "$1");
            Process binding = new ProcessBuilder("taskset", "-p", "-c", cpus, String.valueOf(thread)).start();
            assertThat(binding.waitFor()).isZero();
        }

        /** Returns the environment that takes an event from the journal before it is verified. */
        DeploymentEnvironment environment() {
            return new DeploymentEnvironment() {
                @Override
                public void collect() {
                    try {
                        JournalLie.EVENT_DROPPED.apply(run.resolve("journal"));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
        }

        @Override
        public void close() throws IOException {
            if (process != null) {
                process.destroyForcibly();
            }
            if (descriptor != null) {
                descriptor.close();
            }
        }
    }

    /** The soak, in an environment that leaves damage. */
    private record Damaged(DeploymentEnvironment environment) implements Scenario {
        @Override
        public String name() {
            return Soak.NAME;
        }

        @Override
        public String summary() {
            return "A soak that leaves damage";
        }

        @Override
        public Workload workload() {
            return new Soak().workload();
        }

        @Override
        public long warmUpNs(RunPlan plan) {
            return Soak.WARM_UP_NS;
        }

        @Override
        public boolean isInspected() {
            return true;
        }

        @Override
        public Deployment deploy(RunPlan plan) {
            Deployment usual = new Soak().deploy(plan);
            return new Deployment(usual.exchange(), usual.subscribers(), environment);
        }

        @Override
        public List<Expectation> check(RunOutcome outcome) {
            return new Soak().check(outcome);
        }
    }
}
