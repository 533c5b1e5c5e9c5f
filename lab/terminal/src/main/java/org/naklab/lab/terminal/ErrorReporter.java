package org.naklab.lab.terminal;

import java.io.UncheckedIOException;
import java.util.Map;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Turns what went wrong into one clear line and an exit code. */
public final class ErrorReporter implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Terminal terminal;
    private final Secrets secrets;
    private final Map<Class<? extends Exception>, Integer> expected;

    /**
     * Prints on a terminal, without secrets.
     *
     * @param expected the exit codes of exceptions of code that does not know the lab, and throws them for the reasons of a {@link LabException}
     */
    public ErrorReporter(Terminal terminal, Secrets secrets, Map<Class<? extends Exception>, Integer> expected) {
        this.terminal = terminal;
        this.secrets = secrets;
        this.expected = expected;
    }

    @Override
    public int handleParseException(ParameterException exception, String[] arguments) {
        CommandLine command = exception.getCommandLine();
        print(oneLine(ParseFailure.message(exception)) + help(command));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed) {
        if (exception instanceof LabException ofLab) {
            return switch (ofLab.kind()) {
                case WRONG_USAGE -> report(exception, help(command), ExitCode.USAGE);
                case INPUT -> report(exception, "", ExitCode.NO_INPUT);
                case UNAVAILABLE -> report(exception, "", ExitCode.UNAVAILABLE);
                case ENVIRONMENT -> report(exception, "", ExitCode.UNAVAILABLE);
                case NO_VERDICT -> report(exception, "", ExitCode.UNKNOWN);
            };
        }
        for (Map.Entry<Class<? extends Exception>, Integer> each : expected.entrySet()) {
            if (each.getKey().isInstance(exception)) {
                return report(exception, "", each.getValue());
            }
        }
        return exception instanceof UncheckedIOException
                ? report(exception, "", ExitCode.UNAVAILABLE)
                : onFailure(exception);
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
