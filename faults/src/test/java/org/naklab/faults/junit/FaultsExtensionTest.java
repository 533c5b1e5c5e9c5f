package org.naklab.faults.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.naklab.faults.seam.Checkpoint;

/** Runs {@link Sample}'s tests, some of which are meant to fail, with JUnit's test kit. */
@Timeout(60)
class FaultsExtensionTest {
    private static final AtomicReference<TestFaults> LEFT_BEHIND = new AtomicReference<>();

    private static final String PLAN = """
            {"seed": 7, "faults": [{"kind": "stall", "parameters": {"thread": "worker", "stallMs": 1, "times": 1000}}]}
            """;

    @ExtendWith(FaultsExtension.class)
    @Faults(PLAN)
    static final class Sample {
        @Test
        void passes(TestFaults faults) {
            Checkpoint worker = faults.checkpoint("worker");
            faults.start();
            worker.pass();
            assertThat(faults.proof("stall").fired()).isTrue();
            LEFT_BEHIND.set(faults);
        }

        @Test
        void fails(TestFaults faults) {
            Checkpoint worker = faults.checkpoint("worker");
            faults.start();
            worker.pass();
            throw new AssertionError("on purpose");
        }

        @Test
        @Faults("{\"seed\": 8, \"faults\": []}")
        void hasItsOwnPlan(TestFaults faults) {
            assertThat(faults.plan().seed()).isEqualTo(8);
        }

        @Test
        void lacksTheSeam(TestFaults faults) {
            faults.start();
        }
    }

    private static EngineExecutionResults run(String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sample.class, method, TestFaults.class))
                .execute();
    }

    private static List<String> reports(EngineExecutionResults results) {
        return results.allEvents().reportingEntryPublished().stream()
                .map(event -> event.getRequiredPayload(ReportEntry.class))
                .map(entry -> entry.getKeyValuePairs().getOrDefault(FaultsExtension.REPORT_KEY, ""))
                .toList();
    }

    @Test
    void shouldArmTheDeclaredPlanAndDisarmAfterwards() {
        EngineExecutionResults results = run("passes");

        results.testEvents()
                .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
        assertThat(reports(results)).isEmpty();
        TestFaults faults = Objects.requireNonNull(LEFT_BEHIND.get());
        faults.site().seam(Checkpoint.class, "worker").pass();
        assertThat(faults.proof("stall").figure("passes")).isEqualTo(1);
    }

    @Test
    void shouldTellSeedProofsAndReplayWhenATestFails() {
        EngineExecutionResults results = run("fails");

        results.testEvents().assertStatistics(statistics -> statistics.failed(1));
        assertThat(reports(results)).singleElement().satisfies(report -> assertThat(report)
                .contains("Sample#fails, seed 7")
                .contains("stall: fired: held a thread up at the duty cycle of worker")
                .contains("\"stallMs\":1")
                .contains("-Dnaklab.faults.seed=7"));
    }

    @Test
    void shouldPreferTheMethodsPlan() {
        run("hasItsOwnPlan").testEvents().assertStatistics(statistics -> statistics.succeeded(1));
    }

    @Test
    void shouldTakeTheSeedFromTheCommandLine() {
        System.setProperty(ReplaySeed.PROPERTY, "99");
        try {
            assertThat(reports(run("fails"))).singleElement().asString().contains("seed 99");
        } finally {
            System.clearProperty(ReplaySeed.PROPERTY);
        }
    }

    @Test
    void shouldFailWhenTheTestLacksASeam() {
        EngineExecutionResults results = run("lacksTheSeam");

        results.testEvents().assertStatistics(statistics -> statistics.failed(1));
        assertThat(reports(results)).singleElement().asString().contains("seed 7");
    }
}
