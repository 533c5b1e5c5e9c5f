package org.naklab.lab.cli.journal;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code naklab journal verify}. */
@Command(
        name = "verify",
        description = "Verify count, gaps, duplicates, order, checksums, and the digest in the feed's trailer.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab journal verify runs/latest/journal",
            "  naklab journal verify --json runs/latest/journal",
            "  naklab journal verify --feed 123456789abcdef0 runs/latest/journal",
            "",
            "Exit codes: 0 the journal is complete, 1 it is not, 2 it is empty, 66 it cannot be read,"
                    + " 70 internal error."
        })
final class JournalVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "Journal directory.")
    private Path directory;

    @Mixin
    private JsonOption json;

    @Option(
            names = "--feed",
            paramLabel = "ID",
            defaultValue = "0",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            converter = FeedIdConverter.class,
            description = "Expected feed id, hexadecimal (default: any).")
    private long feedId;

    JournalVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Verification verification = JournalVerifier.verify(directory, feedId);
        if (json.isGiven()) {
            json.print(terminal, verification);
        } else {
            verification.summary().forEach(terminal.out()::println);
        }
        return verdict(verification).exitCode();
    }

    private static Verdict verdict(Verification verification) {
        if (verification.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        return verification.passed() ? Verdict.PASS : Verdict.FAIL;
    }

    private static final class FeedIdConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            try {
                return Long.parseUnsignedLong(value, 16);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + value + "' is not a feed id: up to 16 hexadecimal digits");
            }
        }
    }
}
