package org.naklab.lab.cli.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.core.InputException;

/** Finds the process that a user means. */
final class InjectionTargets {
    private static final String PID = "[1-9][0-9]{0,9}";

    private InjectionTargets() {}

    /** Returns true if a target is neither a process id nor a directory. */
    static boolean isContainer(String target) {
        return !target.matches(PID) && !isRun(target);
    }

    /** Returns true if a target is a directory, which should be that of a run, or one above it. */
    static boolean isRun(String target) {
        return !target.matches(PID) && Files.isDirectory(Path.of(target));
    }

    /**
     * Returns the process of an id, or that of a run which is under way.
     *
     * @param target a process id, or the directory of a run, or one above it
     * @param name of the process in the run
     * @throws InputException if there is none, or it belongs to another user
     */
    static TargetProcess process(String target, String name) {
        long pid = target.matches(PID) ? Long.parseLong(target) : ofRun(Path.of(target), name);
        try {
            TargetProcess process = TargetProcess.of(pid);
            requireOwn(pid);
            return process;
        } catch (FaultException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireOwn(long pid) {
        try {
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Object owner = Files.getAttribute(Path.of("/proc/" + pid), "unix:uid");
            if (!self.equals(0) && !self.equals(owner)) {
                throw new InputException("process " + pid + " belongs to another user");
            }
        } catch (IOException e) {
            throw new InputException("no process has the id " + pid, e);
        }
    }

    /** A process of a run has the path of its configuration as its last argument. */
    private static long ofRun(Path directory, String name) {
        List<Long> found;
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            Path runs = directory.toRealPath();
            found = all.filter(process -> isOf(process, runs, name))
                    .map(ProcessHandle::pid)
                    .toList();
        } catch (IOException e) {
            throw new InputException("cannot read " + directory + ": " + e, e);
        }
        if (found.size() != 1) {
            throw new InputException(
                    found.isEmpty()
                            ? "no process " + name + " of a run in " + directory + " is running on this machine"
                            : "several runs in " + directory + " have a process " + name
                                    + ": give the directory of one of them");
        }
        return found.get(0);
    }

    private static boolean isOf(ProcessHandle process, Path runs, String name) {
        List<String> words = commandLine(process);
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        if (!last.endsWith("/" + name + ".json")) {
            return false;
        }
        try {
            Path directory =
                    Path.of("/proc", Long.toString(process.pid()), "cwd").toRealPath();
            return directory.resolve(last).toRealPath().startsWith(runs);
        } catch (IOException e) {
            // It has ended, or it is another user's.
            return false;
        }
    }

    /** Returns the words of a command; empty if the process has ended. */
    static List<String> commandLine(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            String words = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return words.isEmpty() ? List.of() : List.of(words.split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
