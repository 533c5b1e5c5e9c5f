package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
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
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.messaging.Ports;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.testing.Matrix;

/** The audit library is there, but the dynamic linker was not told of it: nothing delays the bind, and nothing saw it. */
@Matrix
@Timeout(value = 200, unit = TimeUnit.SECONDS)
final class MissingAuditLibraryScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldHaveNoVerdictAndExitCode2() throws InterruptedException {
        Mystery mystery = new Mystery();
        RunPlan plan = mystery.prepare(plan(mystery.workload()), mystery.stallNs(), false);

        RunResult result = new ScenarioRun(
                        new Unaudited(mystery), plan, Installation.current(), new RunListener() {}, new Cancellation())
                .execute();

        assertThat(result.verdict()).as(result.conditions().toString()).isEqualTo(Verdict.UNKNOWN);
        assertThat(result.verdict().exitCode()).isEqualTo(2);
        assertThat(result.conditions())
                .filteredOn(condition -> condition.claim().contains("bound late"))
                .extracting(Expectation::verdict, Expectation::figures)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        Verdict.UNKNOWN, "the audit library is not loaded: was the process started with LD_AUDIT?"));
    }

    private RunPlan plan(Workload workload) {
        RunDirectory run = RunDirectory.create(directory, "mystery", Instant.EPOCH, 42);
        return new RunPlan(
                "mystery",
                Fidelity.AUDITED,
                Remedy.NONE,
                42,
                new RunPlan.Traffic(workload, RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(
                        TransportProfile.LBTRM, TopicChannels.onLoopback(Ports.findFreeBase()), IdleMode.BACKOFF),
                new RunPlan.Placement(run.path(), ""),
                List.of());
    }

    /** The mystery, started without {@code LD_AUDIT}. */
    private record Unaudited(Mystery mystery) implements Scenario {
        @Override
        public String name() {
            return mystery.name();
        }

        @Override
        public String summary() {
            return mystery.summary();
        }

        @Override
        public Workload workload() {
            return mystery.workload();
        }

        @Override
        public Deployment deploy(RunPlan plan) {
            return mystery.deploy(plan).with(Deployment.SERVICE, Unaudited::withoutAudit);
        }

        private static ProcessSpec<ServiceConfig> withoutAudit(ProcessSpec<ServiceConfig> spec) {
            Map<String, String> environment = new HashMap<>(spec.environment());
            assertThat(environment.remove("LD_AUDIT")).isNotNull();
            return new ProcessSpec<>(
                    spec.name(), spec.role(), spec.mainClass(), spec.jvmArguments(), environment, spec.config());
        }

        @Override
        public List<Expectation> check(RunOutcome outcome) {
            return mystery.check(outcome);
        }
    }
}
