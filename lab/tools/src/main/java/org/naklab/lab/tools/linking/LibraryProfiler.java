package org.naklab.lab.tools.linking;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.files.NativeResource;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Reason;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.process.AskedProcess;

/**
 * Starts programs with the profiler of library calls, an rtld-audit library. Programs that they start are profiled, too. Statically linked
 * programs and such with another user's rights (setuid) are not seen.
 */
public final class LibraryProfiler {
    private static final String LIBRARY = "libnaklab_libprof.so";
    private static final String GAUGE = "naklab-libprof-gauge";
    private static final String TABLE_VARIABLE = "NAKLAB_LIBPROF_FILE";
    private static final String STOP_VARIABLE = "NAKLAB_LIBPROF_STOP";
    private static final String AUDIT_VARIABLE = "LD_AUDIT";

    private final Path files;
    private final Path tables;
    private final ProfileBuilder.Gauge gauge;

    /** Tells what is known of a program from its start. */
    private record Started(List<String> command, long pid, Path table, long beginNs) {}

    /** A program that runs. */
    public final class Run {
        private final Process process;
        private final Started started;

        private Run(Process process, Started started) {
            this.process = process;
            this.started = started;
        }

        /** Returns the program. */
        public Process process() {
            return process;
        }

        /**
         * Returns how many programs the dynamic linker did not start.
         *
         * @throws LabException the table cannot be read
         */
        long notLoaded() {
            try {
                return LibraryCallTable.read(started.table).notLoaded();
            } catch (IOException e) {
                throw new LabException("cannot read " + started.table + ": " + e.getMessage(), e);
            }
        }

        /** Deletes the table, which is not read any more. */
        void discard() {
            try {
                Files.deleteIfExists(started.table);
            } catch (IOException e) {
                throw new LabException("cannot delete " + started.table + ": " + e.getMessage(), e);
            }
        }

        /**
         * Waits for the end of the program.
         *
         * @param withThreads whether the profile has the threads one by one
         * @throws LabException the table cannot be read
         * @throws InterruptedException while waiting; the program goes on
         */
        public LibraryProfile await(boolean withThreads) throws InterruptedException {
            int exitCode = process.waitFor();
            return profile(started, exitCode, System.nanoTime(), gauge, withThreads);
        }
    }

    /** The hooks of a program that somebody else starts, and whose calls are only counted. */
    public final class Hooks {
        private final Path table;
        private final long beginNs = System.nanoTime();

        private Hooks(Path table) {
            this.table = table;
        }

        /** Hooks the calls of the program that the builder will start. */
        public void enter(ProcessBuilder builder) {
            LibraryProfiler.this.enter(builder, table);
        }

        /**
         * Returns the number of calls of the program, which has ended. To be called once.
         *
         * @throws LabException the table cannot be read
         */
        public long calls(long pid) {
            return profile(new Started(List.of(), pid, table, beginNs), 0, System.nanoTime(), gauge, false)
                    .calls();
        }
    }

    /**
     * Unpacks the library, and measures what a call costs: two short runs of a small program.
     *
     * @param files an empty directory from which programs may be executed
     * @param tables a directory for the tables, in memory if there is such
     * @throws UnavailableException the build has no profiler; says why
     */
    public LibraryProfiler(Path files, Path tables) {
        this.files = files;
        this.tables = tables;
        for (String name : List.of(LIBRARY, GAUGE)) {
            Path unused = NativeProgram.unpack(name, files, "the profiler of library calls is not built: " + reason());
        }
        gauge = measure();
    }

    private static String reason() {
        try {
            return NativeResource.whyNotBuilt(LibraryProfiler.class).replaceAll("\\s*\\R\\s*", " ");
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Returns hooks for one program.
     *
     * @throws LabException there is no room for the table
     */
    public Hooks hooks() {
        try {
            return new Hooks(newTable());
        } catch (IOException e) {
            throw new LabException("cannot make the table of library calls: " + e.getMessage(), e);
        }
    }

    /** Returns whether this build can profile programs. */
    public static boolean isAvailable() {
        return NativeProgram.exists(LIBRARY);
    }

    private ProfileBuilder.Gauge measure() {
        List<String> command = List.of(files.resolve(GAUGE).toString());
        try (AskedProcess plain = AskedProcess.start(GAUGE, gauge(command))) {
            double plainNs = Double.parseDouble(plain.next());
            Path table = newTable();
            ProcessBuilder builder = gauge(command);
            enter(builder, table);
            long beginNs = System.nanoTime();
            AskedProcess profiled = AskedProcess.start(GAUGE, builder);
            double profiledNs = Double.parseDouble(profiled.next());
            profiled.close();
            Started started = new Started(command, profiled.pid(), table, beginNs);
            return ProfileBuilder.Gauge.of(
                    plainNs, profiledNs, profile(started, profiled.exitCode(), System.nanoTime(), null, false));
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            throw new LabException("cannot measure what a call costs: " + e.getMessage(), e);
        }
    }

    private static ProcessBuilder gauge(List<String> command) {
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /**
     * Starts a program with the terminal of this one.
     *
     * @param output where its standard output goes
     * @throws InputException it cannot be started
     */
    public Run start(List<String> command, ProcessBuilder.Redirect output) {
        return start(command, output, false);
    }

    /**
     * Starts a program for {@link StartedProgram}: no call is hooked, and it stops when its libraries are loaded. A static program does not stop by itself.
     *
     * @throws InputException it cannot be started
     */
    Run startStopped(List<String> command, ProcessBuilder.Redirect output) {
        return start(command, output, true);
    }

    private Run start(List<String> command, ProcessBuilder.Redirect output, boolean isToStop) {
        try {
            Path table = newTable();
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO().redirectOutput(output);
            enter(builder, table);
            if (isToStop) {
                builder.environment().put(STOP_VARIABLE, "1");
            }
            long beginNs = System.nanoTime();
            Process process = builder.start();
            return new Run(process, new Started(List.copyOf(command), process.pid(), table, beginNs));
        } catch (IOException e) {
            throw new InputException("cannot start " + command.get(0) + ": " + Reason.ofStart(e), e);
        }
    }

    private void enter(ProcessBuilder builder, Path table) {
        String others = builder.environment().getOrDefault(AUDIT_VARIABLE, "");
        String own = files.resolve(LIBRARY).toString();
        builder.environment().put(AUDIT_VARIABLE, others.isEmpty() ? own : others + File.pathSeparator + own);
        builder.environment().put(TABLE_VARIABLE, table.toString());
    }

    private Path newTable() throws IOException {
        Path table = Files.createTempFile(tables, "calls-", ".table");
        LibraryCallTable.create(table);
        return table;
    }

    private static LibraryProfile profile(
            Started started, int exitCode, long endNs, ProfileBuilder.@Nullable Gauge gauge, boolean withThreads) {
        try {
            LibraryCallTable table = LibraryCallTable.read(started.table);
            LibraryProfile profile = new ProfileBuilder(table, started.pid, endNs)
                    .build(started.command, exitCode, started.beginNs, gauge, withThreads);
            Files.delete(started.table);
            return profile;
        } catch (IOException e) {
            throw new LabException("cannot read the table of library calls: " + e.getMessage(), e);
        }
    }
}
