package org.naklab.lab.tools.linking;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;

/**
 * Starts programs with the profiler of library calls, an rtld-audit library. Programs that they start are profiled, too. Statically linked
 * programs and such with another user's rights (setuid) are not seen.
 */
public final class LibraryProfiler {
    private static final String LIBRARY = "libnaklab_libprof.so";
    private static final String GAUGE = "naklab-libprof-gauge";
    private static final String REASON = "unavailable.txt";
    private static final String TABLE_VARIABLE = "NAKLAB_LIBPROF_FILE";
    private static final String STOP_VARIABLE = "NAKLAB_LIBPROF_STOP";
    private static final String AUDIT_VARIABLE = "LD_AUDIT";

    private final Path files;
    private final Path tables;
    private final ProfileBuilder.Gauge gauge;

    /** A program that runs. */
    public final class Run {
        private final List<String> command;
        private final Process process;
        private final Path table;
        private final long beginNs;

        private Run(List<String> command, Process process, Path table, long beginNs) {
            this.command = command;
            this.process = process;
            this.table = table;
            this.beginNs = beginNs;
        }

        /** Returns the program. */
        public Process process() {
            return process;
        }

        /** Deletes the table, which is not read. */
        void discard() {
            try {
                Files.deleteIfExists(table);
            } catch (IOException e) {
                throw new LabException("cannot delete " + table + ": " + e.getMessage(), e);
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
            return profile(this, exitCode, System.nanoTime(), gauge, withThreads);
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
        unpack(LIBRARY);
        unpack(GAUGE);
        gauge = measure();
    }

    private void unpack(String name) {
        try (InputStream in = LibraryProfiler.class.getResourceAsStream("native/" + name)) {
            if (in == null) {
                throw new UnavailableException("the profiler of library calls is not built: " + reason());
            }
            Path file = files.resolve(name);
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new LabException("cannot unpack " + name + " into " + files + ": " + e.getMessage(), e);
        }
    }

    private static String reason() throws IOException {
        try (InputStream in = LibraryProfiler.class.getResourceAsStream("native/" + REASON)) {
            return in == null
                    ? "the build did not try"
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .strip()
                            .replaceAll("\\s*\\R\\s*", " ");
        }
    }

    /** Returns whether this build can profile programs. */
    public static boolean isAvailable() {
        return LibraryProfiler.class.getResource("native/" + LIBRARY) != null;
    }

    private ProfileBuilder.Gauge measure() {
        try {
            List<String> command = List.of(files.resolve(GAUGE).toString());
            double plainNs = nanosecondsPerCall(new ProcessBuilder(command));
            Path table = newTable();
            ProcessBuilder builder = new ProcessBuilder(command);
            enter(builder, table);
            long beginNs = System.nanoTime();
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            double profiledNs = readNanoseconds(process);
            int exitCode = process.waitFor();
            Run run = new Run(command, process, table, beginNs);
            return ProfileBuilder.Gauge.of(plainNs, profiledNs, profile(run, exitCode, System.nanoTime(), null, false));
        } catch (IOException | NumberFormatException e) {
            throw new LabException("cannot measure what a call costs: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }

    private static double nanosecondsPerCall(ProcessBuilder builder) throws IOException {
        return readNanoseconds(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    private static double readNanoseconds(Process process) throws IOException {
        try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
            return Double.parseDouble(Objects.requireNonNullElse(output.readLine(), ""));
        }
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
            return new Run(List.copyOf(command), builder.start(), table, beginNs);
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage()).replaceFirst(".*error=\\d+, ", "");
            throw new InputException("cannot start " + command.get(0) + ": " + reason, e);
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
            Run run, int exitCode, long endNs, ProfileBuilder.@Nullable Gauge gauge, boolean withThreads) {
        try {
            LibraryCallTable table = LibraryCallTable.read(run.table);
            LibraryProfile profile = new ProfileBuilder(table, run.process.pid(), endNs)
                    .build(run.command, exitCode, run.beginNs, gauge, withThreads);
            Files.delete(run.table);
            return profile;
        } catch (IOException e) {
            throw new LabException("cannot read the table of library calls: " + e.getMessage(), e);
        }
    }
}
