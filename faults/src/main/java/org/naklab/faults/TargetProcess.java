package org.naklab.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * A process that faults may strike from outside: offered to a {@link FaultSite} under the name that plans know it by. The
 * start time goes with the id, so that a process which got the id later is left alone.
 *
 * @param pid the kernel's id
 * @param startTicks when it started, in clock ticks since boot (field 22 of /proc/pid/stat); 0 where there is no /proc
 */
public record TargetProcess(long pid, long startTicks) {
    /** Waiting to be reaped, and being reaped. */
    private static final Set<String> DEAD = Set.of("Z", "X");

    private static final int STATE = 0;
    private static final int START_TICKS = 19;

    /**
     * The running process of that id.
     *
     * @throws FaultException if there is none
     */
    public static TargetProcess of(long pid) {
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new FaultException("no process has the id " + pid);
        }
        return new TargetProcess(pid, startTicks(pid));
    }

    /** Returns whether it still runs, stopped or not. One look at /proc: between two, a process may be gone. */
    public boolean isAlive() {
        String[] fields = statFields(pid);
        if (fields.length > START_TICKS) {
            return Long.parseLong(fields[START_TICKS]) == startTicks && !DEAD.contains(fields[STATE]);
        }
        return startTicks == 0 && ProcessHandle.of(pid).isPresent();
    }

    /** The kernel's letter for its state: T is stopped; a question mark if it is gone or cannot be known. */
    public char state() {
        String[] fields = statFields(pid);
        return fields.length > STATE ? fields[STATE].charAt(0) : '?';
    }

    private static long startTicks(long pid) {
        String[] fields = statFields(pid);
        return fields.length > START_TICKS ? Long.parseLong(fields[START_TICKS]) : 0;
    }

    /** The fields from the third on: the second, the name, may hold blanks and parentheses. */
    private static String[] statFields(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        try {
            String line = new String(Files.readAllBytes(stat), StandardCharsets.US_ASCII);
            return line.substring(line.lastIndexOf(')') + 2).strip().split(" ");
        } catch (IOException e) {
            // Gone between two looks, or a system without /proc: the caller cannot tell either way.
            return new String[0];
        }
    }
}
