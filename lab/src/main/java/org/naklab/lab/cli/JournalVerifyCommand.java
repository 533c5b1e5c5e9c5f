package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.process.Json;
import org.naklab.lab.scenario.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab journal verify}. */
@Command(
        name = "verify",
        description = "Check count, gaps, duplicates, order, and the digest against the feed's trailer.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab journal verify runs/latest/journal",
            "  naklab journal verify --json runs/latest/journal",
            "",
            "Exit codes: 0 the journal is whole, 1 it is not, 2 it cannot be read."
        })
final class JournalVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "The journal's directory.")
    private Path directory;

    @Option(names = "--json", description = "One JSON document on standard output.")
    private boolean json;

    JournalVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Verification verification = JournalVerifier.verify(directory);
        if (json) {
            terminal.out().println(Json.pretty(verification));
        } else {
            verification.summary().forEach(terminal.out()::println);
        }
        return (verification.passed() ? Verdict.PASS : Verdict.FAIL).exitCode();
    }
}
