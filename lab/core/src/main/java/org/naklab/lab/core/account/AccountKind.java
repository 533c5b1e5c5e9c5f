package org.naklab.lab.core.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/**
 * Tells what a thread did, or waited for, in a part of a stall. The labels are words of {@code run.json} and {@code diagnosis.json}, and the table
 * in docs/reference/account.md lists them with these descriptions.
 */
public enum AccountKind {
    ON_CPU("the thread ran on a CPU", "its function, and what the kernel did for it, where its stack was recorded"),
    PREEMPTED(
            "the thread was runnable, and another thread had the CPU",
            "the thread that ran longest on that CPU meanwhile (`by`), or `partly by` if it ran for less than half of the time; "
                    + "`first by` the thread that was switched to, if the recorder does not know the longest"),
    INTERRUPTED(
            "the kernel handled interrupts or soft interrupts on the thread's CPU",
            "the interrupt, or the thread of the kernel that handled soft interrupts"),
    THROTTLED(
            "the CPU quota of the thread's cgroup was used up",
            "the cgroup, and the thread of the process that was throttled if the thread waited for another one"),
    STOLEN("the hypervisor ran other virtual machines on the CPU", "steal time of the CPU"),
    LOCK(
            "the thread waited for a lock or a condition (futex), a semaphore of System V, or a lock of the kernel, such as"
                    + " that of the address space while another thread forks",
            "the thread that woke it, and the caller; of a lock of the kernel, the function that wanted it"),
    FILE_LOCK("the thread waited for a file lock (fcntl, flock)", "the file and the holder, where known"),
    PIPE(
            "the thread waited for a pipe, also in poll, select or epoll if a thread that read or wrote a pipe ended that",
            "the thread that woke it"),
    TERMINAL("the thread waited for a terminal, as for a pipe", "the thread that woke it"),
    SOCKET("the thread waited for a socket, or in poll, select or epoll", "the thread that woke it"),
    NOT_NOTIFIED(
            "the thread waited in epoll, which did not report the datagrams of its socket: they had been reported before, or"
                    + " the socket was not armed",
            "whether the socket is edge-triggered or one-shot, or was not armed otherwise; the thread that woke it"),
    DISK("the thread waited for a disk or a file system", "the kernel function and the caller"),
    PAGE_FAULT("the thread waited for a page of a file or of memory", "the file and its section"),
    SWAP("the thread waited for a page from swap", "the mapping"),
    RECLAIM("the thread reclaimed memory, or waited for it", "the kernel function"),
    FROZEN("the freezer of the cgroup stopped the process", "the cgroup"),
    STOPPED("a signal stopped the process (state T)", "the sender, where known"),
    TRACED("a tracer stopped the thread (state t)", "the tracer"),
    GC("the JVM stopped its threads for a garbage collection", "the collection"),
    VM_OPERATION(
            "the JVM stopped its threads for another VM operation", "the operation, and who requested it where known"),
    TIME_TO_SAFEPOINT(
            "the JVM waited until all threads reached the safepoint", "the thread that was late, where known"),
    SLEEP("the thread slept for a time of its own choice (nanosleep, a timed park)", "the caller"),
    OTHER_WAIT("the thread waited for something that is none of these", "the kernel function"),
    UNEXPLAINED("no source covers this part", "");

    private final String meaning;
    private final String detail;

    AccountKind(String meaning, String detail) {
        this.meaning = meaning;
        this.detail = detail;
    }

    /** Returns the word of the JSON documents, such as {@code page-fault}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the kind with that label; {@link #UNEXPLAINED} for a word of a later version.
     *
     * @param label as of {@link #label()}
     */
    @JsonCreator
    public static AccountKind of(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElse(UNEXPLAINED);
    }

    /** Returns the label as words of a sentence, such as {@code page fault}. */
    public String words() {
        return switch (this) {
            case ON_CPU -> "on CPU";
            case GC -> "GC";
            case VM_OPERATION -> "VM operation";
            default -> label().replace('-', ' ');
        };
    }

    /** Returns one clause: what the thread did or what kept it. */
    public String meaning() {
        return meaning;
    }

    /** Returns what an entry's detail names; empty if such entries have none. */
    public String detail() {
        return detail;
    }

    @Override
    public String toString() {
        return label();
    }
}
