package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;

/** {@code naklab diagnose} and {@code naklab case keep}, on cases of the corpus. */
@Timeout(60)
final class CaseCommandsTest {
    private static final Path CORPUS = Installation.current().root().resolve("lab/cases/src/main/cases");

    @TempDir
    private Path directory;

    private static String caseOf(String name) {
        return CORPUS.resolve(name).toString();
    }

    @Test
    void shouldPrintTheDiagnosisAsTheRunDid() {
        CommandLineRun run = CommandLineRun.of("diagnose", caseOf("mystery-a"));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("diagnosis late-binding-delay, certain")
                .contains("  stalled  ")
                .contains("  control  no loss")
                .contains("  bind     sched_yield, begun ")
                .contains("  account  ")
                .doesNotContain("  suspect");
        assertThat(CommandLineRun.of("diagnose", caseOf("mystery-a"), "--verbose")
                        .out())
                .contains("  suspect  ")
                .contains("  link     RATE_LIMIT_HIT");
    }

    @Test
    void shouldPrintOneDocumentOfOneCaseAndALineForEachOfSeveral() throws IOException {
        CommandLineRun one = CommandLineRun.of("diagnose", caseOf("process-paused-a"), "--json");
        CommandLineRun two =
                CommandLineRun.of("diagnose", caseOf("process-paused-a"), caseOf("slow-callback-a"), "--json");

        assertThat(Json.parse(one.out()).path("cause").asText()).isEqualTo("process-paused");
        assertThat(two.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"case\":\""));
    }

    @Test
    void shouldSayInOneLineThatThereIsNoCase() {
        CommandLineRun absent = CommandLineRun.of("diagnose", "no-such-case", "--runs", directory.toString());
        CommandLineRun empty = CommandLineRun.of("diagnose", directory.toString());

        assertThat(absent.exitCode()).isEqualTo(66);
        assertThat(absent.err().lines()).hasSize(1);
        assertThat(empty.exitCode()).isEqualTo(66);
        assertThat(empty.err()).contains("no case in ");
    }

    @Test
    void shouldKeepACaseWithItsAnswer() throws IOException {
        CommandLineRun kept = CommandLineRun.of(
                "case",
                "keep",
                caseOf("mystery-a"),
                "--as",
                "kept",
                "--about",
                "A test.",
                "--corpus",
                directory.toString());

        assertThat(kept.exitCode()).as(kept.err()).isZero();
        Expected expected = Json.read(directory.resolve("kept").resolve(Expected.NAME), Expected.class);
        assertThat(expected.cause()).isEqualTo("late-binding-delay");
        assertThat(expected.about()).isEqualTo("A test.");
        assertThat(CommandLineRun.of("diagnose", directory.resolve("kept").toString(), "--json")
                        .out())
                .isEqualTo(CommandLineRun.of("diagnose", caseOf("mystery-a"), "--json")
                        .out());
    }

    @Test
    void shouldKeepTheRightAnswerInsteadOfTheGivenOne() {
        CommandLineRun kept = CommandLineRun.of(
                "case",
                "keep",
                caseOf("mystery-a"),
                "--as",
                "kept",
                "--expect",
                "lock-wait",
                "--corpus",
                directory.toString());

        assertThat(kept.exitCode()).as(kept.err()).isZero();
        assertThat(Json.read(directory.resolve("kept").resolve(Expected.NAME), Expected.class)
                        .cause())
                .isEqualTo("lock-wait");
    }

    /** What others did stands in the truth, which a case of a watch does not have. */
    @Test
    void shouldKeepWhatOthersDidToARun() {
        CommandLineRun kept = keep("healthy-foreign", "kept");
        assertThat(kept.exitCode()).as(kept.err()).isZero();
        assertThat(Json.read(directory.resolve("kept").resolve(Truth.NAME), Truth.class)
                        .byOthers())
                .isEqualTo("Somebody looked on.");
        CommandLineRun refused = keep("watch-mutex-foreign", "refused");
        assertThat(refused.exitCode()).isEqualTo(66);
        assertThat(refused.err()).contains("use --about instead");
        assertThat(directory.resolve("refused")).doesNotExist();
    }

    private CommandLineRun keep(String name, String as) {
        return CommandLineRun.of(
                "case",
                "keep",
                caseOf(name),
                "--as",
                as,
                "--by-others",
                "Somebody looked on.",
                "--corpus",
                directory.toString());
    }

    @Test
    void shouldRefuseATakenNameAndABadOne() throws IOException {
        Path corpus = directory.resolve("corpus");
        Files.createDirectories(corpus.resolve("taken"));
        CommandLineRun taken =
                CommandLineRun.of("case", "keep", caseOf("mystery-a"), "--as", "taken", "--corpus", corpus.toString());
        CommandLineRun bad =
                CommandLineRun.of("case", "keep", caseOf("mystery-a"), "--as", "../x", "--corpus", corpus.toString());

        assertThat(taken.exitCode()).isEqualTo(64);
        assertThat(taken.err()).contains("exists already");
        assertThat(bad.exitCode()).isEqualTo(64);
        assertThat(directory.resolve("x")).doesNotExist();
    }
}
