package org.naklab.lab.diagnosis;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.ShortWaits;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.diagnosis.stacks.KernelWait;
import org.naklab.lab.diagnosis.stacks.UserStack;

/** Reads from the kernel's record of a wait what the thread waited for, and what the account says of it. */
final class AbsenceReading {
    /** The thread of HotSpot that ends a safepoint, and so wakes those that it halted. */
    static final String VM_THREAD = "VM Thread";

    /** Kinds of wait that a function on the way to a lock may stand for. */
    private static final Set<AccountKind> PATHS =
            EnumSet.of(AccountKind.DISK, AccountKind.SOCKET, AccountKind.PIPE, AccountKind.TERMINAL);

    /** Kinds of wait that no thread of the program chooses. */
    private static final Set<AccountKind> OUTER = EnumSet.of(
            AccountKind.DISK,
            AccountKind.PAGE_FAULT,
            AccountKind.SWAP,
            AccountKind.RECLAIM,
            AccountKind.FILE_LOCK,
            AccountKind.FROZEN,
            AccountKind.STOPPED,
            AccountKind.TRACED);

    private static final String SHORT_WAITS = "waits of under 5 ms";

    private AbsenceReading() {}

    /**
     * Returns what a thread that was off the CPU waited for.
     *
     * @param isInRounds whether the thread waited for the same thing again, or before
     * @param isNotNotified whether it waited in epoll for a socket that held datagrams
     */
    static AccountKind kindOf(ThreadAbsence absence, boolean isInRounds, boolean isNotNotified) {
        return kindOf(
                absence.state(),
                () -> isNotNotified && !UserStack.isWithoutGoroutine(absence.userStack())
                        ? AccountKind.NOT_NOTIFIED
                        : kindOfWait(absence, isInRounds));
    }

    /**
     * Returns what the state of a thread tells.
     *
     * @param wait tells what it waited for, if the state says no more than that it waited
     */
    private static AccountKind kindOf(ThreadAbsence.State state, Supplier<AccountKind> wait) {
        return switch (state) {
            case FROZEN -> AccountKind.FROZEN;
            case STOPPED -> AccountKind.STOPPED;
            case TRACED -> AccountKind.TRACED;
            case RUNNABLE, PREEMPTED -> AccountKind.PREEMPTED;
            case SLEEPING, BLOCKED, OTHER -> wait.get();
        };
    }

    /**
     * A thread that waits for a lock until an interrupt wakes it has slept: its time was up. If it waits again at once, its time limit was none: it looked whether
     * the lock was free, as CPython does for its interpreter lock every 5 ms.
     */
    private static AccountKind kindOfWait(ThreadAbsence absence, boolean isInRounds) {
        if (UserStack.isWithoutGoroutine(absence.userStack())) {
            return AccountKind.UNEXPLAINED;
        }
        AccountKind kind = kindOfWait(absence.kernelStack(), absence.ending());
        if (kind != AccountKind.LOCK || isForLockOfKernel(absence)) {
            return kind;
        }
        if (UserStack.isAtSafepoint(absence.userStack())) {
            return AccountKind.VM_OPERATION;
        }
        if (absence.waker().equals(VM_THREAD) && absence.isWakerOfProcess()) {
            return AccountKind.VM_OPERATION;
        }
        return absence.isWokenByInterrupt() && !isInRounds ? AccountKind.SLEEP : AccountKind.LOCK;
    }

    /** Returns what the kernel's stack, and what ended the wait, tell of it. */
    private static AccountKind kindOfWait(List<String> kernelStack, ThreadAbsence.Ending ending) {
        AccountKind kind = KernelWait.of(kernelStack);
        if (isForLockOfKernel(kernelStack, ending)) {
            return AccountKind.LOCK;
        }
        return kind == AccountKind.SOCKET && KernelWait.isForAnyDescriptor(kernelStack)
                ? kindOfDescriptor(ending)
                : kind;
    }

    /** A thread waits for pipes and terminals as for sockets in poll, select and epoll. */
    private static AccountKind kindOfDescriptor(ThreadAbsence.Ending ending) {
        return switch (ending) {
            case PIPE -> AccountKind.PIPE;
            case TERMINAL -> AccountKind.TERMINAL;
            case UNLOCK, UNLOCK_BY_KERNEL, UNKNOWN -> AccountKind.SOCKET;
        };
    }

    /**
     * What ended a wait says what it was for, not the path on which the thread came to it: the lock of an inode is one in any file system, whichever process holds it. A lock
     * within the wait for a device, such as that of a page while it is read, is a part of that wait; so is one that a thread of the kernel holds while it writes.
     */
    private static boolean isForLockOfKernel(ThreadAbsence absence) {
        return isForLockOfKernel(absence.kernelStack(), absence.ending());
    }

    private static boolean isForLockOfKernel(List<String> kernelStack, ThreadAbsence.Ending ending) {
        AccountKind kind = KernelWait.of(kernelStack);
        boolean isUnknown = kind == AccountKind.OTHER_WAIT
                || (kind == AccountKind.PAGE_FAULT && KernelWait.isBeforePage(kernelStack));
        boolean isOnPath =
                PATHS.contains(kind) && ending == ThreadAbsence.Ending.UNLOCK && !KernelWait.isForDevice(kernelStack);
        return ending.isUnlock() && (isUnknown || isOnPath);
    }

    /**
     * Returns what is known of a wait beside its kind: first where in the program it was.
     *
     * @param line of Java code, as {@code at a.B.c:7}, which says more than a function of the JVM; empty if there is none
     */
    static String detailOf(ThreadAbsence absence, AccountKind kind, String line) {
        String where = line.isEmpty() ? UserStack.caller(absence.userStack()) : line;
        return switch (kind) {
            case FILE_LOCK -> joined(where, absence.object().isEmpty() ? wokenBy(absence) : absence.object());
            case LOCK -> joined(joined(where, lockOfKernel(absence)), wokenBy(absence));
            case PIPE, TERMINAL -> joined(where, wokenBy(absence));
            case SOCKET -> joined(where, wokenBy(absence));
            case NOT_NOTIFIED -> joined(where, joined(toldOnce(absence), wokenBy(absence)));
            case SLEEP -> where;
            case DISK, RECLAIM, OTHER_WAIT -> joined(where, KernelWait.function(absence.kernelStack()));
            case FROZEN, STOPPED, TRACED -> absence.by().isEmpty() ? "" : "by " + absence.by();
            case PAGE_FAULT, SWAP -> placeOf(absence.fault());
            case VM_OPERATION -> "at a safepoint";
            case UNEXPLAINED -> "no goroutine ran on this thread";
            default -> "";
        };
    }

    /** As that of the fault's own record, if there is one. */
    private static String placeOf(ThreadAbsence.@Nullable Fault fault) {
        return fault == null ? "" : fault.place();
    }

    /** A thread waits for the locks of a program in a futex. */
    private static String lockOfKernel(ThreadAbsence absence) {
        return isForLockOfKernel(absence)
                ? "a lock of the kernel in " + KernelWait.function(absence.kernelStack())
                : "";
    }

    /** What the set says of its sockets was read after the wait: by then the program may have armed them again. */
    private static String toldOnce(ThreadAbsence absence) {
        ThreadAbsence.SocketWait sockets = absence.sockets();
        return sockets == null || sockets.once().isEmpty()
                ? "not armed in its epoll set"
                : "edge-triggered or one-shot in its epoll set";
    }

    static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + ", " + second;
    }

    private static String wokenBy(ThreadAbsence absence) {
        if (absence.waker().isEmpty() || absence.isWokenByInterrupt()) {
            return KernelWait.function(absence.kernelStack());
        }
        return "woken by "
                + absence.waker()
                + (absence.isWakerOfProcess() ? "" : " of another process")
                + waitOfWaker(absence);
    }

    /** The thread that was switched to may have run for a part of that time only, and so may the one that ran longest. */
    static String instead(ThreadAbsence absence) {
        if (absence.next().isEmpty()) {
            return "";
        }
        if (absence.nextNs() == 0) {
            return "first by " + absence.next();
        }
        boolean isMost = 2 * absence.nextNs() >= absence.runnable().lengthNs();
        return (isMost ? "by " : "partly by ") + absence.next();
    }

    /** Returns what the JVM says that a thread waited for. */
    static AccountKind kindOfJavaWait(JavaWait wait) {
        return AccountKind.of(Objects.requireNonNullElse(wait.lock().kind(), ""));
    }

    static String detailOfJavaWait(JavaWait wait) {
        return joined(lineOf(wait), Objects.requireNonNullElse(wait.lock().object(), ""));
    }

    /** Returns the line of Java code at which a thread waited or was sampled, as {@code at a.B.c:7}; empty if the JVM does not tell. */
    static String lineOf(ThreadEvent.OfJvm inJava) {
        return inJava.where().isEmpty() ? "" : "at " + inJava.where();
    }

    /** Returns what a thread waited for in waits too short for a record; a wait for a lock that no thread of its process ended may have been a sleep. */
    static AccountKind kindOf(ShortWaits waits) {
        AccountKind kind = waits.kernelStack().isEmpty() ? AccountKind.UNEXPLAINED : KernelWait.of(waits.kernelStack());
        return kind == AccountKind.LOCK && !waits.isWakerOfProcess() ? AccountKind.OTHER_WAIT : kind;
    }

    /** Returns what is known of such waits; without a stack, not even that each was short. */
    static String detailOf(ShortWaits waits) {
        if (waits.kernelStack().isEmpty()) {
            return "waits without a record";
        }
        if (kindOf(waits) == AccountKind.LOCK) {
            return SHORT_WAITS + ", woken by " + waits.waker();
        }
        return joined(SHORT_WAITS, KernelWait.function(waits.kernelStack()));
    }

    /** Returns a clause, such as {@code ", which waited for a disk in folio_wait_bit_common"}; empty if the waker did not wait, or nobody saw it. */
    private static String waitOfWaker(ThreadAbsence absence) {
        WakerWait wait = absence.wakerWait();
        return wait == null ? "" : ", which " + did(wait);
    }

    /**
     * Returns what kept the threads for which this one waited from going on, which none of them chose: a disk, missing pages, the lock of a file, a halt. What a thread does under a
     * lock by itself is the lock's matter, and so is who has the CPU. Of several such waits, each in most of the time of the one before, the last counts; empty if there is none.
     */
    static Optional<WakerWait> outerWait(ThreadAbsence absence) {
        WakerWait first = absence.wakerWait();
        return first == null
                ? Optional.empty()
                : first.chain().stream()
                        .filter(wait -> OUTER.contains(kindOf(wait)))
                        .filter(wait -> 2 * absence.during(wait).lengthNs()
                                >= absence.blocked().lengthNs())
                        .reduce((one, next) -> next);
    }

    /** Returns for whom a thread waited, as {@code for a lock held by reporter, which waited for a disk in folio_wait_bit_common}. */
    static String detailOfOuterWait(ThreadAbsence absence, String line) {
        String where = line.isEmpty() ? UserStack.caller(absence.userStack()) : line;
        return joined(where, "for a lock held by " + absence.waker() + waitOfWaker(absence));
    }

    /** Returns for what a thread waited before it woke another one. */
    static AccountKind kindOf(WakerWait wait) {
        return kindOf(wait.state(), () -> kindOfWait(wait.kernelStack(), wait.ending()));
    }

    private static String did(WakerWait wait) {
        return switch (wait.state()) {
            case FROZEN, STOPPED, TRACED -> "was " + wait.state().name().toLowerCase(Locale.ROOT);
            case RUNNABLE, PREEMPTED -> "had no CPU";
            case SLEEPING, BLOCKED, OTHER -> waited(wait);
        };
    }

    /** Returns a clause for the absence of a thread that this one may have waited for, such as {@code actor slept}. */
    static String whatDid(ThreadAbsence other) {
        return other.thread()
                + ' '
                + did(new WakerWait(other.interval().lengthNs(), other.state(), other.waker(), other.kernelStack()));
    }

    /** Returns a clause for what a thread waited for before it woke the others, such as {@code waited for a pipe in pipe_write}. */
    static String waited(WakerWait wait) {
        AccountKind kind = kindOf(wait);
        String function = KernelWait.function(wait.kernelStack());
        boolean isTold = function.isEmpty() || kind == AccountKind.LOCK;
        String in = isTold ? "" : " in " + function;
        String until = wait.waker().isEmpty() ? "" : until(wait, kind);
        return switch (kind) {
            case SLEEP -> "slept";
            case OTHER_WAIT -> "waited" + in + until;
            case PAGE_FAULT -> "waited for a page" + in + until;
            case SWAP -> "waited for a page from swap" + in + until;
            case RECLAIM -> "waited for memory" + in + until;
            default -> "waited for a " + kind.words() + in + until;
        };
    }

    /** Whoever ended the wait for a lock, and was away before for most of it, held the lock. */
    private static String until(WakerWait wait, AccountKind kind) {
        WakerWait before = wait.before();
        if (before == null) {
            return " until " + wait.waker() + " woke it";
        }
        boolean isHeld = kind == AccountKind.LOCK || kind == AccountKind.FILE_LOCK;
        return (isHeld ? " held by " : " until it was woken by ") + wait.waker() + ", which " + did(before);
    }
}
