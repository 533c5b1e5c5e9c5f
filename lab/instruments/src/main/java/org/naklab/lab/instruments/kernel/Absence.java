package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;

/**
 * Is one time during which a thread was not on a processor: it waited until the waking, and was runnable from then on.
 *
 * @param task the thread
 * @param beginNs when it left the processor, ns
 * @param endNs when it was back, ns; 0: it had not come back when the recorder ended
 * @param state why it left
 * @param beganBefore it was already away when the recorder began: the begin is then the recorder's
 * @param beginCpu the processor that it left; -1 if unknown
 * @param endCpu the processor on which it came back; -1 if unknown
 * @param waking who woke it; null if it was runnable all the time, or nobody saw
 * @param next the thread that took its processor; null if unknown
 * @param previous the thread that ran before it on the processor on which it came back; null if unknown
 * @param longest the thread that ran longest there while it was runnable, of those that ran for 0.5 ms and more at a time; null if unknown
 * @param longestNs how long that one ran then, ns; 0 if unknown
 * @param by if stopped, the thread that sent the signal; if traced, the tracer; null if unknown
 * @param cgroupId if frozen, the inode of the cgroup that froze it; 0 if unknown
 * @param cgroup its directory; empty if unknown
 * @param fault the page fault in which it waited; null: in none. Whether it was major is told by its own record
 * @param fileLock the file lock for which it waited; null: for none, or unknown
 * @param socketCall the call in which it waited for sockets; null: in none, or unknown
 * @param kernelStack functions, innermost first; empty if not available
 * @param userStack innermost first; empty if not available
 * @param userStackCut whether the user stack is longer than what was copied of it
 */
public record Absence(
        TaskId task,
        long beginNs,
        long endNs,
        ThreadAbsence.State state,
        boolean beganBefore,
        int beginCpu,
        int endCpu,
        @Nullable Waking waking,
        @Nullable TaskId next,
        @Nullable TaskId previous,
        @Nullable TaskId longest,
        long longestNs,
        @Nullable TaskId by,
        long cgroupId,
        String cgroup,
        @Nullable PageFaultSpan fault,
        @Nullable FileLock fileLock,
        @Nullable SocketCall socketCall,
        List<String> kernelStack,
        List<StackFrame> userStack,
        boolean userStackCut)
        implements KernelRecord {
    private static final String SOFT_INTERRUPT_THREAD = "ksoftirqd/";

    /**
     * Is the lock of a file for which a thread waits.
     *
     * @param call {@code flock} or {@code fcntl}
     * @param descriptor of the file, in the process that waits
     * @param file its path as that process sees it; empty if unknown
     * @param holder the process that held the lock; null if unknown
     */
    public record FileLock(
            String call,
            int descriptor,
            String file,
            @Nullable TaskId holder) {
        /** Puts an empty path for one that is unknown. */
        public FileLock {
            file = file == null ? "" : file;
        }
    }

    /**
     * Is a call that receives from a socket, or waits for those of an epoll set.
     *
     * @param descriptor of the socket or of the set, in the process that waits
     * @param sockets for which it waits; null if unknown
     */
    public record SocketCall(int descriptor, ThreadAbsence.@Nullable SocketWait sockets) {}

    /** Copies the stacks. */
    public Absence {
        cgroup = cgroup == null ? "" : cgroup;
        kernelStack = kernelStack == null ? List.of() : List.copyOf(kernelStack);
        userStack = userStack == null ? List.of() : List.copyOf(userStack);
    }

    @Override
    @JsonIgnore
    public long timeNs() {
        return isOpen() ? beginNs : endNs;
    }

    /** Returns whether the thread had not come back when the recorder ended. */
    @JsonIgnore
    public boolean isOpen() {
        return endNs == 0;
    }

    /** Returns how long the thread was away, ns; 0 if open. */
    @JsonIgnore
    public long lengthNs() {
        return isOpen() ? 0 : endNs - beginNs;
    }

    /** Returns how long the thread waited for something other than a processor, ns. Without a waking, all of it unless it was runnable. */
    @JsonIgnore
    public long blockedNs() {
        if (state.isWithoutCpu() || isOpen()) {
            return 0;
        }
        return waking == null ? lengthNs() : waking.timeNs() - beginNs;
    }

    /** Returns how long the thread could have run and had no processor, ns. */
    @JsonIgnore
    public long runnableNs() {
        return lengthNs() - blockedNs();
    }

    /**
     * Returns the thread that ran instead: the one that ran longest, or if that is not known, the first. Threads of the kernel that handle soft interrupts run for a moment each time: one that took the processor counts only if such a
     * thread also ran last before this one came back.
     *
     * @return null if unknown
     */
    @JsonIgnore
    public @Nullable TaskId instead() {
        if (longest != null) {
            return longest;
        }
        boolean isLastOther = next != null
                && previous != null
                && next.comm().startsWith(SOFT_INTERRUPT_THREAD)
                && !previous.isIdle()
                && !previous.comm().startsWith(SOFT_INTERRUPT_THREAD);
        return isLastOther ? previous : next;
    }

    /** Returns the time as an interval; of an open absence, up to a given time. */
    public Interval interval(long nowNs) {
        return new Interval(beginNs, isOpen() ? Math.max(beginNs, nowNs) : endNs);
    }

    /** Returns whether a kernel function whose name contains the text is on the kernel stack. */
    public boolean isIn(String function) {
        return kernelStack.stream().anyMatch(frame -> frame.contains(Objects.requireNonNull(function)));
    }

    Absence withKernelStack(List<String> newKernelStack) {
        return with(cgroup, fault, fileLock, socketCall, newKernelStack, userStack);
    }

    Absence withPlaces(
            String newCgroup,
            @Nullable PageFaultSpan newFault,
            @Nullable FileLock newFileLock,
            @Nullable SocketCall newSocketCall,
            List<StackFrame> newUserStack) {
        return with(newCgroup, newFault, newFileLock, newSocketCall, kernelStack, newUserStack);
    }

    private Absence with(
            String newCgroup,
            @Nullable PageFaultSpan newFault,
            @Nullable FileLock newFileLock,
            @Nullable SocketCall newSocketCall,
            List<String> newKernelStack,
            List<StackFrame> newUserStack) {
        return new Absence(
                task,
                beginNs,
                endNs,
                state,
                beganBefore,
                beginCpu,
                endCpu,
                waking,
                next,
                previous,
                longest,
                longestNs,
                by,
                cgroupId,
                newCgroup,
                newFault,
                newFileLock,
                newSocketCall,
                newKernelStack,
                newUserStack,
                userStackCut);
    }
}
