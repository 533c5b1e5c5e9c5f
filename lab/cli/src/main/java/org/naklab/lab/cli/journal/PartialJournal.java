package org.naklab.lab.cli.journal;

import java.nio.file.Path;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Option;

/** Says of what was made from a journal when the journal is not whole. */
final class PartialJournal {
    @Option(names = "--partial", description = "Accept an incomplete journal: exit code 0.")
    private boolean isEnough;

    /** Verifies the journal, and warns on standard error when it is broken, or more could have been meant to follow. */
    int exitCode(Path directory, Terminal terminal) {
        Verification verification = JournalVerifier.verify(directory);
        if (verification.passed() || verification.isEmpty()) {
            return ExitCode.OK;
        }
        terminal.err()
                .println(terminal.styled(terminal.err(), "@|bold,yellow naklab:|@ ") + directory + " is incomplete: "
                        + verification.verdict() + " (see 'naklab journal verify')");
        return isEnough ? ExitCode.OK : Verdict.FAIL.exitCode();
    }
}
