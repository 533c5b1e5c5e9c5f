package org.naklab.lab.tools.threads;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Time that the BPF programs of a process, and of the processes that it started, have taken in the kernel, on all CPUs. The kernel counts it only while
 * somebody has asked for it; the file below {@code /proc/PID/fdinfo} of each program shows it.
 *
 * @param runs of all programs
 * @param ns time of these runs
 */
public record KernelProgramTimes(long runs, long ns) {
    /** The variable with which the kernel recorder asks the kernel to time its programs. */
    public static final String VARIABLE = "NAKLAB_TIME_PROGRAMS";

    private static final String RUNS = "run_cnt:";
    private static final String TIME = "run_time_ns:";

    /**
     * Reads the times so far; none where a process has no programs or this user may not see them.
     *
     * @throws IOException if a file is there and cannot be read
     */
    public static KernelProgramTimes of(ProcessHandle process) throws IOException {
        KernelProgramTimes sum = ofDescriptors(ProcPaths.of(process.pid(), "fdinfo"));
        for (ProcessHandle child : process.descendants().toList()) {
            sum = sum.plus(ofDescriptors(ProcPaths.of(child.pid(), "fdinfo")));
        }
        return sum;
    }

    /** Returns what was added since an earlier reading. */
    public KernelProgramTimes since(KernelProgramTimes earlier) {
        return new KernelProgramTimes(runs - earlier.runs, ns - earlier.ns);
    }

    static KernelProgramTimes ofDescriptors(Path directory) throws IOException {
        KernelProgramTimes sum = new KernelProgramTimes(0, 0);
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
            for (Path descriptor : descriptors) {
                sum = sum.plus(ofDescriptor(descriptor));
            }
        } catch (NoSuchFileException e) {
            return sum; // The process has ended.
        }
        return sum;
    }

    private static KernelProgramTimes ofDescriptor(Path file) throws IOException {
        long runs = 0;
        long ns = 0;
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(RUNS)) {
                    runs = number(line);
                } else if (line.startsWith(TIME)) {
                    ns = number(line);
                }
            }
        } catch (NoSuchFileException e) {
            return new KernelProgramTimes(0, 0); // It was closed meanwhile.
        }
        return new KernelProgramTimes(runs, ns);
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
    }

    private KernelProgramTimes plus(KernelProgramTimes other) {
        return new KernelProgramTimes(runs + other.runs, ns + other.ns);
    }
}
