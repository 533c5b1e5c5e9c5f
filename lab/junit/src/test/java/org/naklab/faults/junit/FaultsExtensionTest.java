package org.naklab.faults.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.naklab.faults.FaultException;
import org.naklab.faults.seam.Checkpoint;

/** Runs {@link Sample}'s tests, some of which are meant to fail, with JUnit's test kit. */
@Timeout(60)
class FaultsExtensionTest {
    private static final AtomicReference<TestFaults> LEFT_BEHIND = new AtomicReference<>();

    private static final String PLAN = """
            {"seed": 7, "faults": [{"kind": "stall", "parameters": {"thread": "worker", "stallMs": 1, "times": 1000}}]}
            """;

    @Faults(PLAN)
    static class Sample {
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

        @Test
        void isNotPassed(TestFaults faults) {
            faults.checkpoint("worker");
            faults.start();
        }

        @Test
        @Faults(value = PLAN, mustFire = false)
        void needNotBePassed(TestFaults faults) {
            faults.checkpoint("worker");
            faults.start();
        }

        @Test
        void isNotStarted(TestFaults faults) {
            faults.checkpoint("worker");
        }

        @Test
        void takesNoFaults() {}

        @Test
        @Faults(
                "{\"faults\": [{\"kind\": \"stall\", \"on\": \"mds\", \"parameters\": {\"thread\": \"worker\", \"stallMs\": 1}}]}")
        void strikesAnotherProcess(TestFaults faults) {
            faults.start();
        }

        @Test
        @Faults("{\"faults\": [{\"kind\": \"datagram-loss\", \"parameters\": {\"select\": {\"probability\": 1}}}]}")
        void hasNoDriver(TestFaults faults) {
            assertThat(faults.datagrams()).isSameAs(faults.datagrams());
            faults.start();
        }

        @Test
        void asksTwice(TestFaults faults) {
            assertThat(faults.checkpoint("worker")).isSameAs(faults.checkpoint("worker"));
            assertThat(faults.checkpoint("other")).isNotSameAs(faults.checkpoint("worker"));
            faults.start();
            faults.checkpoint("worker").pass();
        }

        @Nested
        class Inner {
            @Test
            void hasThePlanAround(TestFaults faults) {
                assertThat(faults.plan().seed()).isEqualTo(7);
                faults.checkpoint("worker");
                faults.start();
                faults.checkpoint("worker").pass();
            }
        }
    }

    static final class Heir extends Sample {}

    @Faults(PLAN)
    @Retention(RetentionPolicy.RUNTIME)
    @interface StalledWorker {}

    @StalledWorker
    static final class Composed {
        @Test
        void hasThePlan(TestFaults faults) {
            assertThat(faults.plan().seed()).isEqualTo(7);
            faults.checkpoint("worker");
            faults.start();
            faults.checkpoint("worker").pass();
        }
    }

    private static EngineExecutionResults run(String method) {
        return run(selectMethod(Sample.class, method, TestFaults.class));
    }

    private static EngineExecutionResults run(DiscoverySelector selector) {
        return EngineTestKit.engine("junit-jupiter").selectors(selector).execute();
    }

    private static void assertPasses(EngineExecutionResults results) {
        results.testEvents()
                .assertStatistics(
                        statistics -> statistics.started(1).succeeded(1).failed(0));
    }

    private static void assertFails(EngineExecutionResults results, String message) {
        results.testEvents().failed().assertThatEvents().singleElement().satisfies(event -> assertThat(
                        event.getRequiredPayload(TestExecutionResult.class).getThrowable())
                .get()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n"));
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
    void shouldBeInherited() {
        assertPasses(run(selectMethod(Heir.class, "passes", TestFaults.class)));
    }

    @Test
    void shouldBeSeenOnTheClassAroundANestedOne() {
        assertPasses(run(
                selectNestedMethod(List.of(Sample.class), Sample.Inner.class, "hasThePlanAround", TestFaults.class)));
    }

    @Test
    void shouldBeSeenOnAnAnnotation() {
        assertPasses(run(selectMethod(Composed.class, "hasThePlan", TestFaults.class)));
    }

    @Test
    void shouldReturnTheSameSeamsEachTime() {
        assertPasses(run("asksTwice"));
    }

    @Test
    void shouldFailATestThatNothingCameBy() {
        assertFails(run("isNotPassed"), "has shown nothing: stall: no thread came by the duty cycle of worker");
    }

    @Test
    void shouldOnlyReportIfTheFaultNeedNotFire() {
        EngineExecutionResults results = run("needNotBePassed");

        assertPasses(results);
        assertThat(reports(results)).singleElement().asString().contains("no thread came by the duty cycle of worker");
    }

    @Test
    void shouldFailATestThatDoesNotStartItsFaults() {
        assertFails(run("isNotStarted"), "stall: start() of TestFaults was not called");
    }

    @Test
    void shouldFailATestThatDoesNotTakeItsFaults() {
        assertFails(
                run(selectMethod(Sample.class, "takesNoFaults")),
                "stall: neither the test nor a @BeforeEach method takes TestFaults as a parameter");
    }

    @Test
    void shouldFailATestWhoseFaultIsForAnotherProcess() {
        assertFails(run("strikesAnotherProcess"), "stall: it is for the process mds, and the test's is named test");
    }

    @Test
    void shouldSayThatNoDriverHasTheSeam() {
        assertFails(run("hasNoDriver"), "datagram-loss: no media driver sends or receives through this fault");
    }

    @Test
    void shouldNameTheFlagsThatTheJvmLacks() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutFlags.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.contains(FaultException.class.getName())))
                .singleElement()
                .asString()
                .endsWith(
                        "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED");
    }

    /** Runs a sample in a JVM of its own and prints why its class failed. */
    static final class WithoutFlags {
        private WithoutFlags() {}

        public static void main(String[] arguments) {
            run("passes").allEvents().failed().stream()
                    .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                            .getThrowable()
                            .orElseThrow())
                    .forEach(System.out::println);
        }
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
