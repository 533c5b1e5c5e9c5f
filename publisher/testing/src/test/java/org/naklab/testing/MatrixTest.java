package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests the ledger of the matrix, the choice of its tests, and the lock of those that run alone. */
@Timeout(60)
final class MatrixTest {
    private static final LauncherConfig BARE = LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .build();

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void shouldKeepWhatEachTestOfTheMatrixGave() throws IOException {
        run(results("build"), Shard::new, SampleScenario.class, Untagged.class);
        assertThat(records())
                .extracting(TestRecord::result, TestRecord::reason)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("passed", ""),
                        org.assertj.core.groups.Tuple.tuple("failed", "it | breaks"),
                        org.assertj.core.groups.Tuple.tuple("skipped", "Assumption failed: no sextant"),
                        org.assertj.core.groups.Tuple.tuple("skipped", "for \"now\""));
        assertThat(directory.resolve("matrix.md"))
                .content()
                .contains("Commit c1: 1 passed, 1 failed, 2 skipped")
                .contains("| failed | it \\| breaks |");
        assertThat(directory.resolve("matrix.json"))
                .content()
                .contains("\"reason\":\"for \\\"now\\\"\",\"commit\":\"c1\"");
    }

    @Test
    void shouldListTheSkippedTestsOfAllBuilds() throws IOException {
        run(results("build"), Shard::new, SampleScenario.class, Untagged.class);
        assertThat(lines).first().isEqualTo("Skipped here: 3");
        assertThat(lines).anyMatch(line -> line.endsWith("Untagged: Assumption failed: no IPv6"));
        assertThat(lines)
                .anyMatch(line ->
                        line.endsWith("Scenario: Assumption failed: no sextant (not on the list of allowed skips)"));
        assertThat(Files.readAllLines(directory.resolve("skips.csv")))
                .hasSize(4)
                .anyMatch(line -> line.endsWith("Untagged,allowed,Assumption failed: no IPv6"));
    }

    @Test
    void shouldLeaveOutWhatPassedAtTheSameCommitOnly() throws IOException {
        Path file = directory.resolve("matrix.tsv");
        run(results("build"), Shard::new, SampleScenario.class);
        run(results(Builds.RESUMED), () -> new Shard("1/1", PassedTests.of(file, "c1")), SampleScenario.class);
        assertThat(records()).as("the passed one once").hasSize(4 + 3);
        run(results(Builds.RESUMED), () -> new Shard("1/1", PassedTests.of(file, "c2")), SampleScenario.class);
        assertThat(records()).hasSize(4 + 3 + 4);
        assertThat(MatrixDocument.of(records()).markdown()).contains("1 passed, 1 failed, 2 skipped");
    }

    @Test
    void shouldRunEachClassInOnePartOnly() throws IOException {
        for (int part = 1; part <= 3; part++) {
            String value = part + "/3";
            run(results(Builds.RESUMED), () -> new Shard(value, PassedTests.NONE), SampleScenario.class);
        }
        assertThat(records()).hasSize(4);
        assertThatThrownBy(() -> new Shard("3/2", PassedTests.NONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Shard("0/2", PassedTests.NONE)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldFailForAReasonThatIsNotAllowed() {
        AllowedSkips allowed = AllowedSkips.of(List.of("# why", "", "no IPv6"));
        assertThat(allowed.reasons()).containsExactly("no IPv6");
        Throwable unknown = new org.opentest4j.TestAbortedException("Assumption failed: no sextant");
        Throwable known = new org.opentest4j.TestAbortedException("Assumption failed: no IPv6");
        assertThatThrownBy(() -> handle(true, allowed, unknown))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no sextant");
        assertThatThrownBy(() -> handle(true, allowed, known)).isSameAs(known);
        assertThatThrownBy(() -> handle(false, allowed, unknown)).isSameAs(unknown);
    }

    @Test
    void shouldHoldTheLockWhileAScenarioRuns() throws Exception {
        Path file = directory.resolve("lock");
        LockScenario.file = file;
        run(new LiveLock(file, lines::add), Shard::new, LockScenario.class);
        assertThat(LockScenario.wasHeld).isTrue();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            assertThat(lock).as("given back").isNotNull();
        }
        assertThat(lines).isEmpty();
        LockScenario.wasHeld = false;
        run(new LiveLock(file, lines::add), Shard::new, Untagged.class);
        assertThat(LockScenario.wasHeld).isFalse();
    }

    private static void handle(boolean isCi, AllowedSkips allowed, Throwable thrown) throws Throwable {
        throw new SkipGuard(isCi, allowed).checked(thrown);
    }

    private TestResults results(String build) {
        String commit = build.equals("c2") ? "c2" : "c1";
        return new TestResults(
                new BuildLedger(directory.resolve("matrix.tsv"), build),
                new BuildLedger(directory.resolve("skips.csv"), build),
                commit,
                lines::add);
    }

    private List<TestRecord> records() throws IOException {
        List<TestRecord> records = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("matrix.tsv"))) {
            if (line.contains("\t")) {
                records.add(TestRecord.parse(line));
            }
        }
        return records;
    }

    private static void run(
            TestExecutionListener listener,
            java.util.function.Supplier<PostDiscoveryFilter> filter,
            Class<?>... tests) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .filters(filter.get());
        for (Class<?> each : tests) {
            request.selectors(selectClass(each));
        }
        LauncherFactory.create(BARE).execute(request.build(), listener);
    }

    @Matrix
    static final class SampleScenario {
        @Test
        void passes() {}

        @Test
        void breaks() {
            fail("it | breaks\nfor a reason");
        }

        @Test
        void lacks() {
            assumeTrue(false, "no sextant");
        }

        @Test
        @Disabled("for \"now\"")
        void sleeps() {}
    }

    static final class Untagged {
        @Test
        void lacks() {
            assumeTrue(false, "no IPv6");
        }
    }

    @Live(runs = 1)
    static final class LockScenario {
        private static Path file = Path.of("");
        private static boolean wasHeld;

        @Test
        void looks() throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.tryLock();
            } catch (java.nio.channels.OverlappingFileLockException e) {
                wasHeld = true;
            }
        }
    }
}
