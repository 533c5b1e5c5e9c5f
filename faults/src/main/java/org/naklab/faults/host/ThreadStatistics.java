package org.naklab.faults.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/** Tells what /proc tells about one thread of a process. */
public final class ThreadStatistics {
    private static final int MAX_NAME = 15;
    private static final int PROCESSOR = 36;

    private final Path directory;
    private final long threadId;

    private ThreadStatistics(Path directory, long threadId) {
        this.directory = directory;
        this.threadId = threadId;
    }

    /**
     * The thread of that name; the kernel knows the first 15 characters of it.
     *
     * @throws FaultException if there is none
     */
    public static ThreadStatistics of(TargetProcess process, String threadName) {
        String wanted = threadName.substring(0, Math.min(MAX_NAME, threadName.length()));
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(tasks)) {
            for (Path candidate : candidates) {
                if (read(candidate.resolve("comm")).equals(wanted)) {
                    long threadId = Long.parseLong(candidate.getFileName().toString());
                    return new ThreadStatistics(candidate, threadId);
                }
            }
        } catch (IOException e) {
            throw new FaultException("cannot list the threads of process " + process.pid(), e);
        }
        throw new FaultException("process " + process.pid() + " has no thread named " + wanted);
    }

    /** Returns the calling thread. */
    static ThreadStatistics ofCaller() {
        try {
            Path task = Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
            return new ThreadStatistics(task, Long.parseLong(String.valueOf(task.getFileName())));
        } catch (IOException e) {
            throw new FaultException("cannot read /proc/thread-self: " + e.getMessage(), e);
        }
    }

    long threadId() {
        return threadId;
    }

    /** Returns whether the thread has not ended. */
    boolean isAlive() {
        return Files.exists(directory);
    }

    /** Time that the thread was ready to run and another one ran, ns since it began. */
    long runDelayNs() {
        return Long.parseLong(read(directory.resolve("schedstat")).split(" ", -1)[1]);
    }

    /** The processor that it ran on last. */
    int lastCpu() {
        return Integer.parseInt(statFields(read(directory.resolve("stat")))[PROCESSOR]);
    }

    /** Returns the fields after the name of a line of {@code /proc/PID/stat}, which may itself have blanks and brackets; see {@code proc(5)}. */
    static String[] statFields(String line) {
        return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    }

    /** The processors that it may run on, as {@code taskset} takes them. */
    public String allowedCpus() {
        return read(directory.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow(() -> new FaultException("the kernel does not say where thread " + threadId + " may run"));
    }

    /** Returns the command that lets the thread run on these processors only; a list as {@link #allowedCpus} returns it. */
    List<String> toRestrict(String cpus) {
        return List.of("taskset", "-p", "-c", cpus, Long.toString(threadId));
    }

    /** Returns whether the thread may run on a processor. */
    boolean mayRunOn(int cpu) {
        return contains(allowedCpus(), cpu);
    }

    /** Returns whether a list of processors as the kernel writes it, such as {@code 0-2,5}, has that one. */
    static boolean contains(String cpuList, int cpu) {
        return Stream.of(cpuList.split(",", -1))
                .map(range -> range.split("-", 2))
                .anyMatch(ends -> cpu >= Integer.parseInt(ends[0]) && cpu <= Integer.parseInt(ends[ends.length - 1]));
    }

    private static String read(Path path) {
        try {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new FaultException("cannot read " + path, e);
        }
    }
}
