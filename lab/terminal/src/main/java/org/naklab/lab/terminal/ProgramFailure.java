package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.Secrets;

/**
 * Tells of a failure of the program itself, in one line: no command handles it, and it says nothing about what was run. The exit code is
 * {@link ExitCode#INTERNAL}, on whatever thread it was.
 */
public final class ProgramFailure {
    /** Environment variable: print the stack trace too. */
    static final String TRACE = "NAKLAB_TRACE";

    private static final AtomicReference<@Nullable Throwable> OF_THREAD = new AtomicReference<>();

    private ProgramFailure() {}

    /** Returns what the first thread died of that ended the process; {@code null}: none has. Any thread. */
    public static @Nullable Throwable ofThread() {
        return OF_THREAD.get();
    }

    /** Reports a failure in one line, and returns the exit code. */
    public static int report(PrintStream err, String head, Throwable failure, Secrets secrets) {
        try {
            err.println(head + secrets.mask(reason(failure)));
            if (System.getenv(TRACE) != null) {
                StringWriter trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                err.println(secrets.mask(trace.toString()));
            }
        } catch (OutOfMemoryError e) {
            err.println("naklab: the JVM is out of memory");
        }
        return ExitCode.INTERNAL;
    }

    /** Ends the process when any other thread dies of what nobody caught: what it was to do is no longer done. */
    public static void endOn(Terminal terminal, Secrets secrets) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            OF_THREAD.compareAndSet(null, failure);
            int code = report(
                    terminal.err(), "naklab: thread " + Printable.of(thread.getName()) + " died: ", failure, secrets);
            try {
                // The dying thread must not wait for the shutdown hooks: they may wait for it.
                new Thread(() -> System.exit(code), "exit").start();
            } catch (OutOfMemoryError e) {
                Runtime.getRuntime().halt(code);
            }
        });
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String what = Printable.of(
                (root.getClass().getSimpleName() + ": " + root.getMessage()).replaceAll("\\s*\\R\\s*", " "));
        String remedy = root instanceof OutOfMemoryError
                ? "; increase the heap, for example with JAVA_TOOL_OPTIONS=-Xmx4g"
                : "; please report it with the output of " + TRACE + "=true";
        return "internal error, so there is no verdict: " + what + remedy;
    }
}
