package org.naklab.lab.instruments.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.counters.CgroupFreezer;
import org.naklab.lab.instruments.kernel.counters.FileLocks;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.ProcessMappings;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linux.ThreadCall;
import org.naklab.lab.instruments.threads.ThreadStat;

/**
 * Finds absences of one thread by reading {@code /proc/PID/task/TID} again and again: {@code schedstat} each time; {@code stat},
 * {@code stack}, {@code wchan} and {@code syscall} once the thread has been silent for the limit. The begin is the last reading before the silence, so
 * an absence may be longer by one period than it is reported. One thread.
 *
 * <pre>
 * stack    [&lt;0&gt;] futex_wait+0x4e/0x90           root only
 * wchan    futex_wait_queue                     0: not waiting
 * syscall  202 0x7f.. 0x80 .. 0xSP 0xPC         running: not waiting
 * </pre>
 */
final class ThreadStateSampler implements AutoCloseable {
    private static final String TRACER = "TracerPid:";
    private static final long TURNS_NS = 20_000_000;
    private static final long LEAST_WAITS_NS = 1_000_000;

    private final Path directory;
    private final ThreadStat stat;
    private TaskId task;
    private final long absenceNs;
    private boolean first = true;
    private long lastNs;
    private long activeNs;
    private long cpuNs;
    private long runDelayNs;
    private long timesRun;
    private @Nullable Look look;

    /** Since when the thread has been running and waiting in turns, with its figures at that time. */
    private long turnsNs;

    private long turnsCpuNs;
    private long turnsDelayNs;
    /** The kernel counts the CPU time of a thread that runs at each tick only: one time in turns seems too idle, the next too busy. */
    private long countedLateNs;

    private KernelRecord.@Nullable ShortWaits waits;

    /** Tells what was seen in the silence. */
    private record Look(
            ThreadAbsence.State state,
            List<String> kernelStack,
            List<StackFrame> userStack,
            @Nullable TaskId tracer,
            String frozenGroup,
            Absence.@Nullable FileLock fileLock) {}

    private ThreadStateSampler(Path directory, ThreadStat stat, TaskId task, long absenceNs) {
        this.directory = directory;
        this.stat = stat;
        this.task = task;
        this.absenceNs = absenceNs;
    }

    /**
     * Opens a thread.
     *
     * @param absenceNs absences that are shorter are not reported
     * @throws DetectException there is no such thread
     */
    static ThreadStateSampler open(int pid, int tid, long absenceNs) {
        return open(ProcPaths.of(pid, "task", Integer.toString(tid)), pid, tid, absenceNs);
    }

    /** Opens any directory with such files. */
    static ThreadStateSampler open(Path directory, int pid, int tid, long absenceNs) {
        ThreadStat stat = ThreadStat.open(directory);
        return new ThreadStateSampler(
                directory,
                stat,
                new TaskId(pid, tid, text(directory.resolve("comm")).strip()),
                absenceNs);
    }

    /** Names the thread as it is called now: one that has just begun has the name of the thread that made it. */
    void rename(String name) {
        if (!name.equals(task.comm())) {
            task = new TaskId(task.pid(), task.tid(), name);
        }
    }

    /**
     * Reads the thread.
     *
     * @return an absence that is over since the last call
     * @throws EndedException the thread has ended
     */
    Optional<Absence> sample(long nowNs) throws EndedException {
        if (!stat.readSchedule()) {
            throw new EndedException();
        }
        boolean isActive = first || stat.cpuNs() != cpuNs || stat.timesRun() != timesRun;
        Optional<Absence> ended = Optional.empty();
        if (isActive) {
            ended = first ? Optional.empty() : end(nowNs);
            noteTurns(nowNs, ended);
            look = null;
            activeNs = nowNs;
            cpuNs = stat.cpuNs();
            runDelayNs = stat.runDelayNs();
            timesRun = stat.timesRun();
            first = false;
        } else if (look == null && nowNs - activeNs >= absenceNs) {
            look = look();
        }
        lastNs = nowNs;
        return ended;
    }

    private void noteTurns(long nowNs, Optional<Absence> ended) {
        if (ended.isPresent()) {
            endTurns(activeNs, cpuNs, runDelayNs);
            beginTurns(ended.get().endNs(), cpuNs, stat.runDelayNs());
        } else if (first) {
            beginTurns(nowNs, stat.cpuNs(), stat.runDelayNs());
        } else if (nowNs - turnsNs >= TURNS_NS) {
            endTurns(nowNs, stat.cpuNs(), stat.runDelayNs());
            beginTurns(nowNs, stat.cpuNs(), stat.runDelayNs());
        }
    }

    private void beginTurns(long nowNs, long toCpuNs, long toDelayNs) {
        turnsNs = nowNs;
        turnsCpuNs = toCpuNs;
        turnsDelayNs = toDelayNs;
    }

    private void endTurns(long endNs, long toCpuNs, long toDelayNs) {
        long delayNs = Math.max(0, Math.min(toDelayNs - turnsDelayNs, endNs - turnsNs));
        long blockedNs = endNs - turnsNs - delayNs - (toCpuNs - turnsCpuNs) - countedLateNs;
        countedLateNs = Math.max(0, -blockedNs);
        if (blockedNs + delayNs >= LEAST_WAITS_NS && blockedNs >= 0) {
            waits = new KernelRecord.ShortWaits(task, turnsNs, endNs, 0, blockedNs, delayNs, null, List.of());
        }
    }

    /** Returns the waits between the absences of which a time is over since the last call. */
    Optional<KernelRecord.ShortWaits> takeWaits() {
        Optional<KernelRecord.ShortWaits> taken = Optional.ofNullable(waits);
        waits = null;
        return taken;
    }

    /** Ends the time in which the thread ran and waited in turns; there is no other sample. */
    void finish() {
        if (!first && look == null && lastNs > turnsNs) {
            endTurns(lastNs, cpuNs, runDelayNs);
        }
    }

    /** Returns the absence that is not over. */
    Optional<Absence> open() {
        return look == null || look.state().isWithoutCpu() ? Optional.empty() : Optional.of(absence(look, 0, null));
    }

    /** It came back so long ago as it has computed since, and no longer ago than the last reading. */
    private Optional<Absence> end(long nowNs) {
        if (look == null) {
            return Optional.empty();
        }
        long endNs = Math.max(lastNs, nowNs - (stat.cpuNs() - cpuNs));
        long delayNs = Math.min(stat.runDelayNs() - runDelayNs, endNs - activeNs);
        if (look.state().isWithoutCpu()) {
            // The kernel counts the time of a thread that runs at each tick only: no wait for a processor, no absence.
            return delayNs >= absenceNs ? Optional.of(absence(look, endNs, null)) : Optional.empty();
        }
        Waking waking = new Waking(endNs - delayNs, new TaskId(0, 0, ""), false, List.of());
        return Optional.of(absence(look, endNs, waking));
    }

    private Absence absence(Look seen, long endNs, @Nullable Waking waking) {
        return new Absence(
                task,
                activeNs,
                endNs,
                seen.state(),
                false,
                -1,
                -1,
                waking,
                null,
                null,
                null,
                0,
                seen.tracer(),
                0,
                seen.frozenGroup(),
                null,
                seen.fileLock(),
                null,
                seen.kernelStack(),
                seen.userStack(),
                true);
    }

    private Look look() throws EndedException {
        if (!stat.readState()) {
            throw new EndedException();
        }
        ThreadAbsence.State state = stateOf(stat.state());
        if (state.isWithoutCpu()) {
            return new Look(ThreadAbsence.State.PREEMPTED, List.of(), List.of(), null, "", null);
        }
        List<String> kernelStack = kernelStack();
        boolean isFrozen = isFrozen(state, kernelStack);
        return new Look(
                isFrozen ? ThreadAbsence.State.FROZEN : state,
                kernelStack,
                userStack(),
                state == ThreadAbsence.State.TRACED ? tracer() : null,
                isFrozen ? frozenGroup() : "",
                fileLock());
    }

    private Absence.@Nullable FileLock fileLock() {
        ThreadCall call =
                ThreadCall.parse(text(directory.resolve("syscall")).strip()).orElse(null);
        if (call == null || call.kind() != ThreadCall.Kind.FILE_LOCK) {
            return null;
        }
        int holder = FileLocks.read()
                .holderThatBlocks(task.pid())
                .map(FileLocks.Lock::pid)
                .orElse(-1);
        return new Absence.FileLock(
                call.name(),
                call.descriptor(),
                call.lockedFile(task.pid()).map(Path::toString).orElse(""),
                holder <= 0 ? null : new TaskId(holder, holder, comm(holder)));
    }

    private static String comm(int pid) {
        return text(ProcPaths.of(pid, "comm")).strip();
    }

    private @Nullable TaskId tracer() {
        return text(directory.resolve("status"))
                .lines()
                .filter(line -> line.startsWith(TRACER))
                .map(line -> Integer.parseInt(line.substring(TRACER.length()).strip()))
                .filter(tracer -> tracer > 0)
                .map(tracer -> new TaskId(tracer, tracer, comm(tracer)))
                .findFirst()
                .orElse(null);
    }

    private String frozenGroup() {
        try {
            return CgroupFreezer.ofProcess(task.pid())
                    .frozenGroup()
                    .map(Path::toString)
                    .orElse("");
        } catch (DetectException gone) {
            return "";
        }
    }

    /** Returns the state for a letter of {@code /proc/PID/stat}. */
    private static ThreadAbsence.State stateOf(char letter) {
        return switch (letter) {
            case 'R' -> ThreadAbsence.State.RUNNABLE;
            case 'S' -> ThreadAbsence.State.SLEEPING;
            case 'D' -> ThreadAbsence.State.BLOCKED;
            case 'T' -> ThreadAbsence.State.STOPPED;
            case 't' -> ThreadAbsence.State.TRACED;
            default -> ThreadAbsence.State.OTHER;
        };
    }

    /** In version 2, {@code get_signal} may contain {@code do_freezer_trap}; nothing else in it sleeps in this state. */
    private static boolean isFrozen(ThreadAbsence.State state, List<String> kernelStack) {
        return kernelStack.contains("__refrigerator")
                || kernelStack.contains("do_freezer_trap")
                || (state == ThreadAbsence.State.SLEEPING && kernelStack.indexOf("get_signal") == 0);
    }

    private List<String> kernelStack() {
        List<String> frames = kernelStack(directory);
        if (!frames.isEmpty()) {
            return frames;
        }
        String channel = text(directory.resolve("wchan")).strip();
        return channel.isEmpty() || channel.equals("0") ? List.of() : List.of(channel);
    }

    /**
     * Returns the functions of the kernel in which a thread is, innermost first; empty if it has gone, or without the right to see them.
     *
     * @param thread its directory in {@code /proc}
     */
    static List<String> kernelStack(Path thread) {
        return text(thread.resolve("stack"))
                .lines()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .map(frame -> frame.indexOf('+') < 0 ? frame : frame.substring(0, frame.indexOf('+')))
                .toList();
    }

    /** Of the user stack, the kernel tells the innermost instruction. */
    private List<StackFrame> userStack() {
        String call = text(directory.resolve("syscall")).strip();
        int lastBlank = call.lastIndexOf(" 0x");
        if (lastBlank < 0) {
            return List.of();
        }
        long address = Long.parseUnsignedLong(call.substring(lastBlank + 3), 16);
        String module = ProcessMappings.ofProcess(task.pid())
                .flatMap(mappings -> mappings.at(address))
                .map(MappedPlace::file)
                .orElse("");
        return List.of(new StackFrame(address, "", 0, module));
    }

    /** Empty where it is not permitted, or the thread has ended. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrNotPermitted) {
            return "";
        }
    }

    @Override
    public void close() {
        stat.close();
    }

    /** Says that the thread has ended. */
    static final class EndedException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
