package org.naklab.lab.tools.linking;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.files.PrivateDirectory;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linking.LinkageTable;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.PageOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab libprof}. */
@Command(
        name = "libprof",
        description = {
            "Run a program, or attach to a running one, and print in which library functions its time went: a profile of "
                    + "response time, not of CPU. It finds the application that does nothing, slowly.",
            "Each call through a procedure linkage table is counted and timed by hooks of the dynamic linker. The "
                    + "programs that the program starts are profiled, too. A program that crashes or is killed still "
                    + "gives its table, and so does Ctrl-C.",
            "A running program is measured by uprobes at the functions that --function names, or at those that its "
                    + "threads wait in for a second. They keep to --limit. Without uprobes, its waits are sampled. A program "
                    + "that calls nothing through a linkage table (static, or built with -fno-plt) is measured so, too."
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
            "Not seen: calls that bypass the linkage table (inlined, intrinsics), calls",
            "within a library, setuid programs.",
            "",
            "Examples:",
            "  naklab libprof -- ls -l /usr/lib",
            "  naklab libprof --top 5 --threads -- java -version",
            "  naklab libprof --system -- ./my-program",
            "  naklab libprof --json -- ./my-program --option > profile.json",
            "  sudo naklab libprof --attach 4711 --for 10s",
            "  sudo naklab libprof --attach 4711 --function poll --function flock",
            "",
            "Exit codes: 0 the table was printed, however the program ended, 2 no call was",
            "seen, 64 wrong usage, 66 the program cannot be started or there is no such",
            "process, 69 not built here or not permitted."
        })
public final class LibprofCommand implements Callable<Integer> {
    private static final int USUAL_FUNCTIONS = 20;
    private static final double USUAL_LIMIT_PERCENT = 5;
    private static final long USUAL_NS = TimeUnit.SECONDS.toNanos(10);
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
                            + "disk, poll, sleep), the system calls, and the locks for which threads waited, with who held "
                            + "them, too. Needs root.")
    private boolean system;

    @Option(
            names = "--attach",
            paramLabel = "PID",
            converter = Converters.Positive.class,
            description = "Look at a running program instead of starting one.")
    private @Nullable Long attach;

    @Option(
            names = "--function",
            paramLabel = "NAME",
            description = "With --attach: a library function to be measured; may be repeated. Needs root.")
    private List<String> functions = List.of();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "With --attach: how long to look (default: 10s, or until Ctrl-C).")
    private @Nullable Long durationNs;

    @Option(
            names = "--limit",
            paramLabel = "PERCENT",
            converter = Converters.PositiveDecimal.class,
            description = "With --attach: the most that uprobes and samples may cost, in percent of one processor "
                    + "(default: 5).")
    private @Nullable Double limitPercent;

    @Mixin
    private PageOption page;

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
        boolean isToStart = command != null && !command.isEmpty();
        if (isToStart == (attach != null)) {
            throw new UsageException("name a program, or a process: naklab libprof -- COMMAND, or --attach PID");
        }
        if (attach == null && (!functions.isEmpty() || durationNs != null || limitPercent != null)) {
            throw new UsageException("--function, --for and --limit go with --attach");
        }
        page.check();
        Cancellation cancellation = new Cancellation();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        // Not deleted by a hook of their own: on Ctrl-C, the table is still to be read.
        try (PrivateDirectory files = directory(temporary);
                PrivateDirectory tables = directory(Files.isWritable(MEMORY) ? MEMORY : temporary)) {
            return attach == null
                    ? profile(files.path(), tables.path(), Objects.requireNonNull(command), cancellation)
                    : attach(files.path(), attach, cancellation);
        } catch (IOException e) {
            throw new LabException("cannot use a directory for temporary files: " + e.getMessage(), e);
        } finally {
            cancellation.done();
        }
    }

    private int attach(Path files, long pid, Cancellation cancellation) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "end-the-profile"));
        RunningProfiler profiler = new RunningProfiler(
                pid, files, limitPercent == null ? USUAL_LIMIT_PERCENT : limitPercent, cancellation::isRequested);
        long lookNs = durationNs == null ? USUAL_NS : durationNs;
        if (!system) {
            return print(profiler.profile(functions, lookNs, threads));
        }
        if (!Files.isDirectory(ProcPaths.of(pid))) {
            throw new InputException("there is no process " + pid);
        }
        try (SystemRecorder recorder = SystemRecorder.attach(files, pid)) {
            LibraryProfile profile = profiler.profile(functions, lookNs, threads);
            return print(profile.with(recorder.end()));
        }
    }

    private static PrivateDirectory directory(Path parent) throws IOException {
        return PrivateDirectory.create(parent, "naklab-libprof-");
    }

    private int profile(Path files, Path tables, List<String> program, Cancellation cancellation)
            throws InterruptedException {
        LibraryProfiler profiler = new LibraryProfiler(files, tables);
        boolean isToBeProbed = SearchPath.find(program.get(0))
                .filter(file -> !LinkageTable.isUsedBy(file))
                .isPresent();
        if (!system) {
            return print(run(profiler, files, program, isToBeProbed, cancellation));
        }
        // After the calibration and the look at the file: the programs that these start are not to be counted.
        try (SystemRecorder recorder = SystemRecorder.start(files)) {
            LibraryProfile profile = run(profiler, files, program, isToBeProbed, cancellation);
            return print(profile.with(recorder.end()));
        }
    }

    private LibraryProfile run(
            LibraryProfiler profiler, Path files, List<String> program, boolean isToBeProbed, Cancellation cancellation)
            throws InterruptedException {
        ProcessBuilder.Redirect output =
                isJson ? ProcessBuilder.Redirect.appendTo(new File("/dev/stderr")) : ProcessBuilder.Redirect.INHERIT;
        if (isToBeProbed) {
            StartedProgram started = StartedProgram.start(profiler, program, output);
            endWith(started.process(), cancellation);
            return started.await(files, USUAL_LIMIT_PERCENT, threads);
        }
        LibraryProfiler.Run run = profiler.start(program, output);
        endWith(run.process(), cancellation);
        return run.await(threads);
    }

    private static void endWith(Process program, Cancellation cancellation) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endProgram(program, cancellation), "end-the-program"));
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
        page.write(
                terminal,
                "libprof",
                LibprofText.program(profile),
                file -> LibprofPage.write(file, profile, top == null ? USUAL_FUNCTIONS : top));
        if (isJson) {
            new JsonOption().print(terminal, top == null ? profile : profile.top(top));
        } else {
            new LibprofPrinter(terminal, profile, top == null ? USUAL_FUNCTIONS : top).print();
        }
        return profile.calls() > 0 || !profile.functions().isEmpty() ? ExitCode.OK : ExitCode.UNKNOWN;
    }
}
