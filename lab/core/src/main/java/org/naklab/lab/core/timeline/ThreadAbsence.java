package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One time during which a thread was off the CPU: it waited until it was woken, and was runnable from then on.
 *
 * @param process name or pid
 * @param thread name
 * @param interval from leaving the CPU to being back on one
 * @param blockedNs the part that the thread waited for something other than a CPU, ns; it comes first
 * @param state why it left the CPU
 * @param waker name of the thread that woke it; empty if unknown, or if an interrupt did
 * @param isWakerOfProcess whether the waker belongs to the same process
 * @param isWokenByInterrupt whether an interrupt woke it, such as that of a timer
 * @param ending what the waker did that ended the wait
 * @param next name of the thread that ran on the CPU instead; empty if unknown, or if the CPU was idle
 * @param nextNs how long that thread ran while this one was runnable, if it is the one that ran longest, ns; 0: it is the first that ran
 * @param by who halted the thread: the cgroup that was frozen, the process that sent the signal, or the tracer; empty if unknown, or if it was not halted
 * @param object the file lock for which it waited, with its holder; empty if unknown, or if it waited for something else
 * @param sockets for which it waited; null: for none, or unknown
 * @param wakerWait for what the waker itself waited during this absence; null if it did not wait for most of it, or if that is unknown
 * @param fault the page fault in which it waited; null: in none, or unknown
 * @param kernelStack functions, innermost first; empty if unknown
 * @param userStack functions, innermost first; empty if unknown
 */
public record ThreadAbsence(
        String process,
        String thread,
        Interval interval,
        long blockedNs,
        State state,
        String waker,
        boolean isWakerOfProcess,
        boolean isWokenByInterrupt,
        Ending ending,
        String next,
        long nextNs,
        String by,
        String object,
        @Nullable SocketWait sockets,
        @Nullable WakerWait wakerWait,
        @Nullable Fault fault,
        List<String> kernelStack,
        List<String> userStack)
        implements TimelineEvent {
    /** Between two rounds of a wait, a thread looks at what it waits for. */
    private static final long MOST_BETWEEN_ROUNDS_NS = 1_000_000;

    /** Sockets are sampled once a millisecond, and a reader first has to come to its call. */
    public static final long SAMPLING_NS = 3_000_000;

    private static final String OF_LAB = " of the lab";

    /** How the functions of the kernel begin in which a thread waits in epoll. */
    private static final List<String> EPOLL = List.of("ep_poll", "do_epoll");

    /**
     * Sockets for which a thread waited in one call.
     *
     * @param inodes of all
     * @param once of those of which an epoll set tells only once: edge-triggered, or one-shot
     */
    public record SocketWait(List<Long> inodes, List<Long> once) {
        private static final String BETWEEN_INODES = ",";

        public SocketWait {
            inodes = List.copyOf(inodes);
            once = List.copyOf(once);
        }

        private static String join(List<Long> inodes) {
            return inodes.stream().map(String::valueOf).collect(Collectors.joining(BETWEEN_INODES));
        }

        private static List<Long> split(String text) {
            return text.isEmpty()
                    ? List.of()
                    : Stream.of(text.split(BETWEEN_INODES)).map(Long::valueOf).toList();
        }
    }

    /**
     * The page fault in which a thread waited. The kernel may miss to count it: then there is no {@link PageFault}.
     *
     * @param place file and section of the page, such as {@code libc.so.6 .gnu.hash}; empty if unknown
     */
    public record Fault(String place, PageFault.Page page) {
        private static @Nullable Fault of(UntypedEvent event) {
            String address = event.textDetail("faultAddress");
            return address.isEmpty()
                    ? null
                    : new Fault(
                            event.textDetail("faultPlace"),
                            new PageFault.Page(
                                    address, event.textDetail("faultFile"), event.textDetail("faultSection")));
        }
    }

    /** Tells what a thread did when it ended the wait of another one. */
    public enum Ending {
        UNKNOWN,
        /** It released a lock of the kernel. */
        UNLOCK,
        /** It is a thread of the kernel, and released a lock of the kernel. */
        UNLOCK_BY_KERNEL,
        /** It read from a pipe or wrote to it, or closed it. */
        PIPE,
        /** It read from a terminal or wrote to it. */
        TERMINAL;

        private static final String KERNEL = "kernel";

        private static Ending of(UntypedEvent event) {
            String label = event.textDetail("endedBy");
            if (Boolean.TRUE.equals(event.detail("wokenByUnlock"))) {
                return label.equals(KERNEL) ? UNLOCK_BY_KERNEL : UNLOCK;
            }
            return Stream.of(PIPE, TERMINAL)
                    .filter(ending -> ending.label().equals(label))
                    .findFirst()
                    .orElse(UNKNOWN);
        }

        /** Returns whether the thread released a lock of the kernel. */
        public boolean isUnlock() {
            return this == UNLOCK || this == UNLOCK_BY_KERNEL;
        }

        private static Ending labelled(String label) {
            return Stream.of(values())
                    .filter(ending -> ending.label().equals(label))
                    .findFirst()
                    .orElse(UNKNOWN);
        }

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Tells why a thread left the CPU. */
    public enum State {
        /** It yielded. */
        RUNNABLE,
        PREEMPTED,
        /** State S. */
        SLEEPING,
        /** State D. */
        BLOCKED,
        FROZEN,
        /** State T, by a signal. */
        STOPPED,
        /** State t, by a tracer. */
        TRACED,
        OTHER;

        /** Returns whether the thread was runnable, and had no CPU. */
        public boolean isWithoutCpu() {
            return this == RUNNABLE || this == PREEMPTED;
        }

        /** Returns the state as the file has it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the state that the file or the recorder calls so; {@link #OTHER} for one that this version does not know. */
        @JsonCreator
        static State of(String label) {
            for (State state : values()) {
                if (state.label().equals(label)) {
                    return state;
                }
            }
            return OTHER;
        }
    }

    /**
     * Describes for what a thread waited before it woke another one: the holder of a lock that waited for a disk.
     *
     * @param afterNs how long after the begin of the other thread's absence this one left the CPU, ns; 0: not later, or unknown
     * @param durationNs the part of the other thread's wait that this one was off the CPU, ns
     * @param state why it left the CPU
     * @param waker name of the thread that woke this one; empty if unknown, or if an interrupt did
     * @param ending what that thread did that ended the wait
     * @param kernelStack functions, innermost first; empty if unknown
     * @param before for what that thread waited itself before; its times are within those of the first thread's absence as well. Null if it did not wait for most of it, or if
     *     that is unknown
     */
    public record WakerWait(
            long afterNs,
            long durationNs,
            State state,
            String waker,
            Ending ending,
            List<String> kernelStack,
            @Nullable WakerWait before) {
        /** Most threads that wait for one another: what is further away is left out. */
        public static final int MOST_STEPS = 4;

        /** Copies the stack. */
        public WakerWait {
            kernelStack = List.copyOf(kernelStack);
        }

        /** Makes a wait that began with that of the other thread, of which it is not known for what its own waker waited. */
        public WakerWait(long durationNs, State state, String waker, List<String> kernelStack) {
            this(0, durationNs, state, waker, Ending.UNKNOWN, kernelStack, null);
        }

        /** Returns the same, ended by a thread that waited itself before. */
        public WakerWait after(@Nullable WakerWait newBefore) {
            return new WakerWait(afterNs, durationNs, state, waker, ending, kernelStack, newBefore);
        }

        /** Returns whether the thread was runnable, and had no CPU. */
        public boolean isWithoutCpu() {
            return state.isWithoutCpu();
        }

        /** Returns this wait and those of the threads that ended it, the nearest first. */
        public List<WakerWait> chain() {
            List<WakerWait> chain = new ArrayList<>();
            for (WakerWait wait = this; wait != null; wait = wait.before) {
                chain.add(wait);
            }
            return chain;
        }

        private void putInto(Map<String, Object> details, int step) {
            String suffix = suffix(step);
            details.put("wakerWaitNs" + suffix, durationNs);
            if (afterNs > 0) {
                details.put("wakerAfterNs" + suffix, afterNs);
            }
            details.put("wakerState" + suffix, state.label());
            putIfKnown(details, "wakerWaker" + suffix, waker);
            putIfKnown(details, "wakerEndedBy" + suffix, ending == Ending.UNKNOWN ? "" : ending.label());
            putIfKnown(details, "wakerStack" + suffix, Stacks.join(kernelStack));
            if (before != null) {
                before.putInto(details, step + 1);
            }
        }

        private static @Nullable WakerWait of(UntypedEvent event, int step) {
            String suffix = suffix(step);
            String state = event.textDetail("wakerState" + suffix);
            return state.isEmpty() || step == MOST_STEPS
                    ? null
                    : new WakerWait(
                            event.longDetail("wakerAfterNs" + suffix, 0),
                            event.longDetail("wakerWaitNs" + suffix, 0),
                            State.of(state),
                            event.textDetail("wakerWaker" + suffix),
                            Ending.labelled(event.textDetail("wakerEndedBy" + suffix)),
                            Stacks.split(event.textDetail("wakerStack" + suffix)),
                            of(event, step + 1));
        }

        /** The first has none, as in files of earlier versions. */
        private static String suffix(int step) {
            return step == 0 ? "" : String.valueOf(step + 1);
        }
    }

    public ThreadAbsence {
        kernelStack = List.copyOf(kernelStack);
        userStack = List.copyOf(userStack);
    }

    /** Makes an absence of a thread that nobody halted, that no unlocking ended, and whose waker did not wait. */
    public ThreadAbsence(
            String process,
            String thread,
            Interval interval,
            long blockedNs,
            State state,
            String waker,
            boolean isWakerOfProcess,
            boolean isWokenByInterrupt,
            String next,
            List<String> kernelStack,
            List<String> userStack) {
        this(
                process,
                thread,
                interval,
                blockedNs,
                state,
                waker,
                isWakerOfProcess,
                isWokenByInterrupt,
                Ending.UNKNOWN,
                next,
                0,
                "",
                "",
                null,
                null,
                null,
                kernelStack,
                userStack);
    }

    /** Returns the name of a thread that belongs to the lab, and not to what it watches. */
    public static String ofLab(String name) {
        return name + OF_LAB;
    }

    /** Returns whether a thread of the lab ran on the CPU instead. */
    public boolean isForLab() {
        return next.endsWith(OF_LAB);
    }

    /** Returns the same, halted by something. */
    public ThreadAbsence haltedBy(String newBy) {
        return with(ending, next, nextNs, newBy, object, sockets, wakerWait, fault);
    }

    /** Returns the same, ended by a thread that released a lock of the kernel. */
    public ThreadAbsence endedByUnlock() {
        return endedBy(Ending.UNLOCK);
    }

    /** Returns the same, ended in that way. */
    public ThreadAbsence endedBy(Ending newEnding) {
        return with(newEnding, next, nextNs, by, object, sockets, wakerWait, fault);
    }

    /** Returns the same, waiting for the lock of a file. */
    public ThreadAbsence waitingFor(String newObject) {
        return with(ending, next, nextNs, by, newObject, sockets, wakerWait, fault);
    }

    /** Returns the same, waiting for sockets. */
    public ThreadAbsence waitingFor(@Nullable SocketWait newSockets) {
        return with(ending, next, nextNs, by, object, newSockets, wakerWait, fault);
    }

    /** Returns the same, ended by a thread that waited itself before. */
    public ThreadAbsence afterWaitOfWaker(@Nullable WakerWait wait) {
        return with(ending, next, nextNs, by, object, sockets, wait, fault);
    }

    /** Returns the same, with the thread that ran longest meanwhile. */
    public ThreadAbsence whileRan(String newNext, long ranNs) {
        return with(ending, newNext, ranNs, by, object, sockets, wakerWait, fault);
    }

    /** Returns the same, in a page fault. */
    public ThreadAbsence inFault(@Nullable Fault newFault) {
        return with(ending, next, nextNs, by, object, sockets, wakerWait, newFault);
    }

    private ThreadAbsence with(
            Ending newEnding,
            String newNext,
            long newNextNs,
            String newBy,
            String newObject,
            @Nullable SocketWait newSockets,
            @Nullable WakerWait wait,
            @Nullable Fault newFault) {
        return new ThreadAbsence(
                process,
                thread,
                interval,
                blockedNs,
                state,
                waker,
                isWakerOfProcess,
                isWokenByInterrupt,
                newEnding,
                newNext,
                newNextNs,
                newBy,
                newObject,
                newSockets,
                wait,
                newFault,
                kernelStack,
                userStack);
    }

    /** Returns whether the waker released a lock of the kernel and so ended the wait. */
    public boolean isWokenByUnlock() {
        return ending.isUnlock();
    }

    /** Returns whether the thread waited in epoll, which, unlike poll and select, may have been told not to tell of a file that can be read. */
    public boolean isInEpoll() {
        return kernelStack.stream().anyMatch(function -> EPOLL.stream().anyMatch(function::startsWith));
    }

    /**
     * Returns whether the thread waited in epoll for a socket that held datagrams meanwhile, which did not end the wait: the socket was not armed, or the datagrams had been reported already. A wait in
     * one piece is exact; the socket is sampled.
     */
    public boolean isNotNotified(SocketEvent.Unread unread) {
        return sockets != null
                && sockets.inodes().contains(unread.inode())
                && isInEpoll()
                && isUnread(unread, unread.longestGapNs());
    }

    /**
     * Returns whether nobody received in the wait for longer than samples of the socket, or of the position of a stream, can be wrong.
     *
     * @param gapNs longest time between two samples, if it was longer than usual
     */
    public boolean isUnread(TimelineEvent standstill, long gapNs) {
        return blocked()
                .intersection(standstill.interval())
                .filter(both -> both.lengthNs() > SAMPLING_NS + gapNs)
                .isPresent();
    }

    /** Returns the part that the thread waited for something other than a CPU; may be empty. */
    public Interval blocked() {
        return new Interval(interval.beginNs(), interval.beginNs() + blockedNs);
    }

    /** Returns the part of this wait in which a thread waited on which it depended; may be empty. */
    public Interval during(WakerWait wait) {
        long beginNs = Math.min(interval.beginNs() + wait.afterNs(), blocked().endNs());
        return new Interval(
                beginNs, Math.min(beginNs + wait.durationNs(), blocked().endNs()));
    }

    /** Returns the part that the thread was runnable and had no CPU; may be empty. */
    public Interval runnable() {
        return new Interval(interval.beginNs() + blockedNs, interval.endNs());
    }

    /**
     * Returns true if the thread waited at the same place as before, at most 1 ms after it: a wait with a time limit that was renewed. Not if its stack is
     * unknown.
     *
     * @param before the absence of this thread before this one
     */
    public boolean isAgainAfter(ThreadAbsence before) {
        return !userStack.isEmpty()
                && userStack.equals(before.userStack)
                && kernelStack.equals(before.kernelStack)
                && interval.beginNs() - before.interval.endNs() <= MOST_BETWEEN_ROUNDS_NS;
    }

    @Override
    public TimelineEventType type() {
        return TimelineEventType.THREAD_ABSENT;
    }

    @Override
    public long timeNs() {
        return interval.beginNs();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("durationNs", interval.lengthNs());
        details.put("blockedNs", blockedNs);
        details.put("state", state.label());
        details.put("wokenByInterrupt", isWokenByInterrupt);
        if (isWokenByUnlock()) {
            details.put("wokenByUnlock", true);
            if (ending == Ending.UNLOCK_BY_KERNEL) {
                details.put("endedBy", Ending.KERNEL);
            }
        } else if (ending != Ending.UNKNOWN) {
            details.put("endedBy", ending.label());
        }
        putIfKnown(details, "waker", waker);
        if (!waker.isEmpty()) {
            details.put("wakerOfProcess", isWakerOfProcess);
        }
        putIfKnown(details, "next", next);
        if (nextNs > 0) {
            details.put("nextNs", nextNs);
        }
        putIfKnown(details, "by", by);
        putIfKnown(details, "object", object);
        if (sockets != null) {
            details.put("sockets", SocketWait.join(sockets.inodes()));
            putIfKnown(details, "socketsToldOnce", SocketWait.join(sockets.once()));
        }
        if (wakerWait != null) {
            wakerWait.putInto(details, 0);
        }
        if (fault != null) {
            details.put("faultAddress", fault.page().address());
            putIfKnown(details, "faultPlace", fault.place());
            putIfKnown(details, "faultFile", fault.page().file());
            putIfKnown(details, "faultSection", fault.page().section());
        }
        putIfKnown(details, "kernelStack", Stacks.join(kernelStack));
        putIfKnown(details, "userStack", Stacks.join(userStack));
        return details;
    }

    /** Returns the event as what it is. */
    public static ThreadAbsence of(TimelineEvent event) {
        return event instanceof ThreadAbsence known ? known : read((UntypedEvent) event);
    }

    private static ThreadAbsence read(UntypedEvent event) {
        return new ThreadAbsence(
                event.process(),
                event.thread(),
                event.interval(),
                event.longDetail("blockedNs", 0),
                State.of(event.textDetail("state")),
                event.textDetail("waker"),
                Boolean.TRUE.equals(event.detail("wakerOfProcess")),
                Boolean.TRUE.equals(event.detail("wokenByInterrupt")),
                Ending.of(event),
                event.textDetail("next"),
                event.longDetail("nextNs", 0),
                event.textDetail("by"),
                event.textDetail("object"),
                event.detail("sockets") == null
                        ? null
                        : new SocketWait(
                                SocketWait.split(event.textDetail("sockets")),
                                SocketWait.split(event.textDetail("socketsToldOnce"))),
                WakerWait.of(event, 0),
                Fault.of(event),
                Stacks.split(event.textDetail("kernelStack")),
                Stacks.split(event.textDetail("userStack")));
    }

    private static void putIfKnown(Map<String, Object> details, String key, String value) {
        if (!value.isEmpty()) {
            details.put(key, value);
        }
    }
}
