package org.naklab.faults.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.faults.TargetProcess;

/**
 * Names one process so that a later one can tell whether it still runs.
 *
 * @param bootId the kernel's random id of this boot; a dash where there is no /proc
 * @param machineId what /etc/machine-id holds; a dash where there is none
 * @param pidNamespace inode of the namespace that numbers the process; a dash where there is no /proc
 * @param process its id and start time
 */
public record ProcessIdentity(String bootId, String machineId, String pidNamespace, TargetProcess process) {
    private static final String UNKNOWN = "-";
    private static final int WORDS = 5;

    /** States whether a process is known to live, known to be gone, or out of sight. */
    public enum Life {
        RUNS,
        ENDED,
        /** It is, or was, on another machine or numbered by another namespace, such as that of a container. */
        OUT_OF_SIGHT
    }

    /** Returns the identity of this process. */
    public static ProcessIdentity current() {
        return new ProcessIdentity(
                wordOf("/proc/sys/kernel/random/boot_id"),
                wordOf("/etc/machine-id"),
                pidNamespaceNow(),
                TargetProcess.of(ProcessHandle.current().pid()));
    }

    /**
     * Reads what {@link #text()} has written.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static ProcessIdentity parse(String text) {
        String[] words = text.split(":", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("not the identity of a process: " + text);
        }
        return new ProcessIdentity(
                words[0], words[1], words[2], new TargetProcess(Long.parseLong(words[3]), Long.parseLong(words[4])));
    }

    /** Returns one word of letters, digits, dashes and colons. */
    public String text() {
        return bootId + ':' + machineId + ':' + pidNamespace + ':' + process.pid() + ':' + process.startTicks();
    }

    /** Looks whether the process still runs. */
    public Life life() {
        ProcessIdentity self = current();
        if (!bootId.equals(self.bootId)) {
            // Home directories and engines are shared between machines.
            boolean isThisMachine = !machineId.equals(UNKNOWN) && machineId.equals(self.machineId);
            return isThisMachine ? Life.ENDED : Life.OUT_OF_SIGHT;
        }
        if (!pidNamespace.equals(self.pidNamespace)) {
            return Life.OUT_OF_SIGHT;
        }
        return process.isAlive() ? Life.RUNS : Life.ENDED;
    }

    private static String wordOf(String file) {
        try {
            String word = Files.readString(Path.of(file)).strip();
            return word.matches("[-0-9a-z]+") ? word : UNKNOWN;
        } catch (IOException e) {
            // A system without that file has no better word.
            return UNKNOWN;
        }
    }

    private static String pidNamespaceNow() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
