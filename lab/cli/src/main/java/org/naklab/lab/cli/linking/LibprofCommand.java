package org.naklab.lab.cli.linking;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.JsonOption;
import org.naklab.lab.cli.terminal.ShutdownHook;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.calls.LibraryProfile;
import org.naklab.lab.instruments.calls.LibraryProfiler;
import org.naklab.lab.instruments.calls.SystemRecorder;
import org.naklab.lab.scenarios.runner.Cancellation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab libprof}. */
@Command(
        name = "libprof",
        description = {
            "Run a program, and print in which library functions its time went: a profile of response time, not of CPU. "
                    + "It finds the application that does nothing, slowly.",
            "Each call through a procedure linkage table is counted and timed by hooks of the dynamic linker. The "
                    + "programs that the program starts are profiled, too. A program that crashes or is killed still "
                    + "gives its table, and so does Ctrl-C."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "How to read it:",
            "  Entire program    the life of all threads together; of a program with one",
            "                    thread, the time from its start to its end",
            "  Non-library time  outside of all functions that were called",
            "  Duration          self time: without the functions that it called itself",
            "",
            "Not seen: calls that bypass the linkage table (-fno-plt, inlined, intrinsics),",
            "calls within a library, statically linked and setuid programs.",
            "",
            "Examples:",
            "  naklab libprof -- ls -l /usr/lib",
            "  naklab libprof --top 5 --threads -- java -version",
            "  naklab libprof --system -- ./my-program",
            "  naklab libprof --json -- ./my-program --option > profile.json",
            "",
            "Exit codes: 0 the table was printed, however the program ended, 2 no call was",
            "seen, 64 wrong usage, 66 the program cannot be started, 69 not built here or",
            "not permitted."
        })
public final class LibprofCommand implements Callable<Integer> {
    private static final int USUAL_FUNCTIONS = 20;
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long GRACE_MS = 2_000;

    private final Terminal terminal;

    @Option(
            names = "--top",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "Functions to print, the longest first (default: " + USUAL_FUNCTIONS + "; with --json all).")
    private @Nullable Integer top;

    @Option(names = "--threads", description = "Print a table of each thread, too.")
    private boolean threads;

    @Option(
            names = "--system",
            description =
                    "Print where the wall time of each thread went (on a processor, ready to run, page fault, lock, "
                            + "disk, poll, sleep), and the system calls, too. Needs root.")
    private boolean system;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write the tables as an HTML page.")
    private @Nullable Path page;

    @Option(
            names = "--json",
            description = "One JSON document on standard output; the output of the program goes to standard error.")
    private boolean isJson;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The program with its arguments, after '--'.")
    private @Nullable List<String> command;

    LibprofCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (command == null || command.isEmpty()) {
            throw new UsageException("name a program: naklab libprof -- COMMAND");
        }
        Cancellation cancellation = new Cancellation();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        // Not deleted by a hook of their own: on Ctrl-C, the table is still to be read.
        try (PrivateDirectory files = directory(temporary);
                PrivateDirectory tables = directory(Files.isWritable(MEMORY) ? MEMORY : temporary)) {
            return profile(files.path(), tables.path(), command, cancellation);
        } catch (IOException e) {
            throw new LabException("cannot use a directory for temporary files: " + e.getMessage(), e);
        } finally {
            cancellation.done();
        }
    }

    private static PrivateDirectory directory(Path parent) throws IOException {
        return PrivateDirectory.create(parent, "naklab-libprof-");
    }

    private int profile(Path files, Path tables, List<String> program, Cancellation cancellation)
            throws InterruptedException {
        LibraryProfiler profiler = new LibraryProfiler(files, tables);
        if (!system) {
            return print(run(profiler, program, cancellation));
        }
        // After the calibration, whose programs are not to be counted.
        try (SystemRecorder recorder = SystemRecorder.start(files)) {
            LibraryProfile profile = run(profiler, program, cancellation);
            return print(profile.with(recorder.end()));
        }
    }

    private LibraryProfile run(LibraryProfiler profiler, List<String> program, Cancellation cancellation)
            throws InterruptedException {
        LibraryProfiler.Run run = profiler.start(
                program,
                isJson ? ProcessBuilder.Redirect.appendTo(new File("/dev/stderr")) : ProcessBuilder.Redirect.INHERIT);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> endProgram(run.process(), cancellation), "end-the-program"));
        return run.await(threads);
    }

    /** Ctrl-C of a terminal reaches the program, too; a signal to this process alone does not. */
    private static void endProgram(Process program, Cancellation cancellation) {
        try {
            if (program.isAlive() && !program.waitFor(GRACE_MS, TimeUnit.MILLISECONDS)) {
                program.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ShutdownHook.await(cancellation);
    }

    private int print(LibraryProfile profile) {
        if (page != null) {
            LibprofPage.write(page, profile, top == null ? USUAL_FUNCTIONS : top);
        }
        if (isJson) {
            new JsonOption().print(terminal, top == null ? profile : profile.top(top));
        } else {
            new LibprofPrinter(terminal, profile, top == null ? USUAL_FUNCTIONS : top).print();
        }
        return profile.calls() > 0 ? ExitCode.OK : ExitCode.UNKNOWN;
    }
}
