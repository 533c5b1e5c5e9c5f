package org.naklab.lab.cli.doctor;

import java.util.List;
import java.util.stream.Collectors;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.instruments.linux.CgroupPaths;

/** Checks that a memory limit takes effect: a container allocates four times as much. */
final class MemoryLimitCheck implements ContainerCheck {
    private static final String NAME = "Docker memory limit";
    private static final int LIMIT_MIB = 16;
    private static final int TAKEN_MIB = 64;
    private static final int KILLED = 137;
    private static final String TAKEN = TAKEN_MIB + " MiB under a limit of " + LIMIT_MIB;

    /** Prints how the taking ended, and the group's highest use, where the kernel tells it. */
    private static final String SCRIPT = "head -c " + TAKEN_MIB + "m /dev/zero | tail -c " + TAKEN_MIB + "m >/dev/null;"
            + " echo $? $(cat "
            + CgroupPaths.topmost(CgroupPaths.MEMORY).stream()
                    .map(group -> group.file(CgroupPaths.Entry.MEMORY_HIGHEST).toString())
                    .collect(Collectors.joining(" "))
            + " 2>/dev/null)";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<CheckResult> examine(DoctorSandbox bench) {
        String limit = LIMIT_MIB + "m";
        return List.of(judge(bench.run("memory", List.of("--memory", limit, "--memory-swap", limit), SCRIPT)));
    }

    /** The kernel kills the one that takes, or all of the container; with swap, it may hold it at the limit instead. */
    static CheckResult judge(Docker.Result result) {
        String[] words = result.lastLine().split(" ", -1);
        if (result.exitCode() == KILLED || result.output().lines().anyMatch(MemoryLimitCheck::isKilled)) {
            return CheckResult.yes(NAME, "a container that allocated " + TAKEN + " was killed");
        }
        if (!result.succeeded() || !words[0].equals("0")) {
            return no("could not be tested: " + result.lastLine());
        }
        if (words.length > 1 && Long.parseLong(words[1]) <= (long) LIMIT_MIB << 20) {
            return CheckResult.yes(NAME, "a container that allocated " + TAKEN + " was held at the limit");
        }
        return no("a container allocated " + TAKEN);
    }

    /** The shell may say in words of its own what became of a command, on standard error and so in any order. */
    private static boolean isKilled(String line) {
        return line.startsWith(KILLED + " ") || line.equals(String.valueOf(KILLED)) || line.endsWith("Killed");
    }

    private static CheckResult no(String found) {
        return CheckResult.no(
                NAME,
                found,
                "fidelity natural is not available: the engine's containers need the memory controller "
                        + "(docker info prints a warning; rootless: delegate it to the user)");
    }
}
