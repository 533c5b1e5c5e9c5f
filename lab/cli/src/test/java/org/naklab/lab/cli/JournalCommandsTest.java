package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.terminal.ExitCode;

/** What the commands on a journal come to, by what the journal is like. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class JournalCommandsTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldTakeAWholeJournal() {
        Path journal = write(3, 3, 3);
        assertThat(CommandLineRun.of("journal", "verify", journal.toString()).exitCode())
                .isZero();
        assertSilent(CommandLineRun.of("journal", "dump", journal.toString()));
        assertSilent(export(journal));
    }

    @Test
    void shouldWarnOfAJournalWithoutAMiddle() {
        assertWarns(write(3, 3, 2), "the journal is not what the feed sent");
    }

    @Test
    void shouldWarnOfAJournalWithoutAnEnd() {
        assertWarns(write(3, -1, 3), "what is there is sound, but whether it is all cannot be told");
    }

    @Test
    void shouldNeitherPassNorFailAJournalInWhichNothingIs() {
        CommandLineRun run =
                CommandLineRun.of("journal", "verify", write(0, 0, 0).toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.outLines()).last().asString().startsWith("UNKNOWN").contains("the journal is empty");
    }

    @Test
    void shouldNotTakeTheJournalOfAnotherFeed() {
        Path journal = write(3, 3, 3);
        assertThat(CommandLineRun.of("journal", "verify", "--feed", "4d", journal.toString())
                        .exitCode())
                .isZero();
        CommandLineRun run = CommandLineRun.of("journal", "verify", "--feed", "4e", journal.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("000000000000004d, not 000000000000004e, which it should be");
        assertThat(CommandLineRun.of("journal", "verify", "--feed", "feed?", journal.toString())
                        .exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    private void assertWarns(Path journal, String warning) {
        CommandLineRun dump = CommandLineRun.of("journal", "dump", journal.toString());
        assertThat(dump.exitCode()).isEqualTo(1);
        assertThat(dump.outLines()).isNotEmpty();
        assertThat(dump.err()).contains("is incomplete: " + warning);

        CommandLineRun partialDump = CommandLineRun.of("journal", "dump", "--partial", journal.toString());
        assertThat(partialDump.exitCode()).isZero();
        assertThat(partialDump.err()).contains("is incomplete: " + warning);

        CommandLineRun export = export(journal);
        assertThat(export.exitCode()).isEqualTo(1);
        assertThat(export.err()).contains("is incomplete: " + warning);
    }

    private static void assertSilent(CommandLineRun run) {
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
    }

    private CommandLineRun export(Path journal) {
        return CommandLineRun.of(
                "journal",
                "export",
                journal.toString(),
                "--csv",
                temporary.resolve("csv").toString());
    }

    private Path write(int last, int trailerCount, int kept) {
        return SmallJournal.write(temporary.resolve("journal"), last, trailerCount, kept);
    }
}
