package org.naklab.lab.cli.terminal;

import java.io.UncheckedIOException;
import java.util.List;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.faults.FaultException;
import org.naklab.journaler.JournalException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.UsageException;
import org.naklab.messaging.MessagingException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what went wrong into one clear line and an exit code. */
public final class ErrorReporter implements IParameterExceptionHandler, IExecutionExceptionHandler {
    /** What the replica and the faults, which do not know the lab, throw for the same reasons. */
    private static final List<Class<? extends Exception>> EXPECTED_OF_OTHERS =
            List.of(FaultException.class, MessagingException.class, UncheckedIOException.class);

    private final Terminal terminal;
    private final Secrets secrets;

    public ErrorReporter(Terminal terminal, Secrets secrets) {
        this.terminal = terminal;
        this.secrets = secrets;
    }

    @Override
    public int handleParseException(ParameterException exception, String[] arguments) {
        CommandLine command = exception.getCommandLine();
        print(oneLine(ParseFailure.message(exception)) + help(command));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed) {
        if (exception instanceof LabException expected) {
            return switch (expected.kind()) {
                case WRONG_USAGE -> report(exception, help(command), ExitCode.USAGE);
                case INPUT -> report(exception, "", ExitCode.NO_INPUT);
                case UNAVAILABLE -> report(exception, "", ExitCode.UNAVAILABLE);
                case ENVIRONMENT -> report(exception, "", ExitCode.UNAVAILABLE);
                case NO_VERDICT -> report(exception, "", ExitCode.UNKNOWN);
            };
        }
        if (exception instanceof OrderFlowException || exception instanceof JournalException) {
            return report(exception, "", ExitCode.NO_INPUT);
        }
        if (EXPECTED_OF_OTHERS.stream().anyMatch(type -> type.isInstance(exception))) {
            return report(exception, "", ExitCode.UNAVAILABLE);
        }
        return onFailure(exception);
    }

    /** Reports that the defaults of a configuration file cannot be used: no command has begun. */
    public int onDefaults(UsageException failure) {
        return report(failure, "", ExitCode.USAGE);
    }

    /** Reports a failure that no command expects, an {@link Error} too. */
    public int onFailure(Throwable failure) {
        return ProgramFailure.report(terminal.err(), head(), failure, secrets);
    }

    private static String help(CommandLine command) {
        return " (see '" + command.getCommandSpec().qualifiedName() + " --help')";
    }

    private int report(Exception exception, String hint, int exitCode) {
        print(oneLine(Reason.withoutClassNames(Reason.of(exception), exception)) + hint);
        return exitCode;
    }

    private void print(String line) {
        terminal.err().println(head() + secrets.mask(line));
    }

    private String head() {
        return terminal.styled(terminal.err(), "@|bold,red naklab:|@ ");
    }

    private static String oneLine(String message) {
        return Printable.of(message.strip().replaceAll("\\s*\\R\\s*", " "));
    }
}
