package org.naklab.lab.cli.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.scenarios.control.RunningRun;

/** Finds the process or the run that a user means. */
final class InjectionTargets {
    private static final String PID = "[1-9][0-9]{0,9}";

    private InjectionTargets() {}

    /** Returns true if a target is the id of a process. */
    static boolean isProcess(String target) {
        return target.matches(PID);
    }

    /**
     * Returns the run that a target names: by its directory or one above it, by the name of its scenario, or by that of its directory.
     *
     * @return empty if the target is a process id, or names nothing that is known here: a container may have the name
     * @throws InputException if it is a directory without a run that is under way, or if it names several
     */
    static Optional<RunningRun> run(String target) {
        if (isProcess(target)) {
            return Optional.empty();
        }
        boolean isDirectory = Files.isDirectory(Path.of(target));
        List<RunningRun> found = RunningRun.findAll().stream()
                .filter(run -> isDirectory ? isIn(run, Path.of(target)) : isNamed(run, target))
                .toList();
        if (found.size() > 1) {
            throw new InputException(
                    "several runs are under way in '" + target + "': give the directory of one of them, "
                            + found.stream()
                                    .map(run -> run.description().runDirectory())
                                    .collect(Collectors.joining(" or ")));
        }
        if (found.isEmpty() && isDirectory) {
            throw new InputException("no run of this user in " + target + " is under way on this machine");
        }
        return found.stream().findFirst();
    }

    private static boolean isIn(RunningRun run, Path directory) {
        try {
            return Path.of(run.description().runDirectory()).toRealPath().startsWith(directory.toRealPath());
        } catch (IOException e) {
            throw new InputException("cannot read " + directory + ": " + e, e);
        }
    }

    private static boolean isNamed(RunningRun run, String name) {
        Path directory = Path.of(run.description().runDirectory());
        return run.description().scenario().equals(name) || directory.endsWith(name);
    }

    /**
     * Returns the process of an id.
     *
     * @throws InputException if there is none, or it belongs to another user
     */
    static TargetProcess process(String target) {
        try {
            long pid = Long.parseLong(target);
            TargetProcess process = TargetProcess.of(pid);
            requireOwn(pid);
            return process;
        } catch (NumberFormatException e) {
            throw new InputException("no process has the id " + target, e);
        } catch (FaultException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireOwn(long pid) {
        try {
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Object owner = Files.getAttribute(ProcPaths.of(pid), "unix:uid");
            if (!self.equals(0) && !self.equals(owner)) {
                throw new InputException("process " + pid + " belongs to another user");
            }
        } catch (IOException e) {
            throw new InputException("no process has the id " + pid, e);
        }
    }

    /** Returns the words of a command; empty if the process has ended. */
    static List<String> commandLine(ProcessHandle process) {
        try {
            Path file = ProcPaths.of(process.pid(), "cmdline");
            String words = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return words.isEmpty() ? List.of() : List.of(words.split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
