package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;

/** One observation of the kernel recorder. Times are CLOCK_MONOTONIC in ns; process and thread ids are those of the host. */
public sealed interface KernelRecord
        permits Absence,
                BusySpell,
                PageFaultSpan,
                DatagramRecord,
                ProcessLife,
                LostRecords,
                KernelRecord.RecorderEnd,
                KernelRecord.Interrupt,
                KernelRecord.Steal,
                KernelRecord.Shared,
                KernelRecord.ShortWaits,
                KernelRecord.Sample,
                KernelRecord.Reclaim,
                KernelRecord.Deliveries,
                KernelRecord.Receipts,
                KernelRecord.Alive {
    /**
     * Says that all that was recorded until then is delivered.
     *
     * @param timeNs when, ns
     */
    record Alive(long timeNs) implements KernelRecord {}

    /**
     * Is the last record: nothing is recorded after it.
     *
     * @param timeNs when, ns
     * @param reason empty if the recorder was told to stop; otherwise why it ended by itself
     */
    record RecorderEnd(long timeNs, String reason) implements KernelRecord {}

    /** Returns when the record became complete, ns: the end of a span. */
    long timeNs();

    /** Kinds of interrupts. */
    enum InterruptKind {
        /** A device's interrupt. */
        @JsonProperty("device")
        DEVICE,
        /** A soft interrupt on the way back from an interrupt; in a thread of its own it is an absence of the recorded thread. */
        @JsonProperty("soft")
        SOFT,
        /** The local timer's interrupt, in which the scheduler's tick and other timers expire. */
        @JsonProperty("tick")
        TICK,
        /** Another processor asks this one to reschedule. */
        @JsonProperty("reschedule")
        RESCHEDULE,
        /** Another processor asks this one to call a function. */
        @JsonProperty("call")
        CALL,
        /** One timer that expires. */
        @JsonProperty("timer")
        TIMER
    }

    /**
     * Is one interrupt of a recorded thread while it was on a processor; or a soft interrupt that had begun before, on the processor for which the thread
     * then waited: of it, the part from the thread's waking on. Interrupts nest: a timer expires in a tick.
     *
     * @param number of the device's interrupt or of the soft interrupt; otherwise the vector, or 0
     * @param name of the soft interrupt, such as {@code NET_RX}, or of the timer's function; otherwise empty
     * @param lateNs of a timer, how long after its latest time it expired, ns; otherwise 0. Interrupts were off, or the processor was not there
     * @param task the thread that was interrupted, or waited
     */
    record Interrupt(
            InterruptKind kind, int number, String name, int cpu, long beginNs, long endNs, long lateNs, TaskId task)
            implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * Is time that the hypervisor took from the processor of a recorded thread: some of the time between two ticks.
     *
     * @param beginNs of the earlier tick, ns
     * @param endNs of the later tick, ns
     * @param stolenNs in between, ns
     * @param task the thread that ran at the later tick
     */
    record Steal(int cpu, long beginNs, long endNs, long stolenNs, TaskId task) implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * Is a time in which a thread ran and waited in turns, each wait too short for a record of its own.
     *
     * @param beginNs of the first wait, ns
     * @param endNs of the last wait, ns
     * @param count number of waits; 0 if unknown
     * @param blockedNs how long the thread waited for something other than a processor, ns
     * @param runnableNs how long it was runnable without a processor, ns
     * @param waker who ended the longest wait; null if unknown, or if no wait took 1 ms
     * @param kernelStack of the longest wait, innermost first; empty if unknown, or if no wait took 1 ms
     */
    record ShortWaits(
            TaskId task,
            long beginNs,
            long endNs,
            int count,
            long blockedNs,
            long runnableNs,
            @Nullable TaskId waker,
            List<String> kernelStack)
            implements KernelRecord {
        public ShortWaits {
            kernelStack = kernelStack == null ? List.of() : List.copyOf(kernelStack);
        }

        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * Is a time in which a thread reclaimed memory, for its cgroup or for the machine, before it got a page.
     *
     * @param beginNs of the first of several times that follow each other soon, ns
     * @param endNs of the last, ns
     * @param reclaimNs how long it reclaimed in between, on a processor or waiting, ns
     */
    record Reclaim(long beginNs, long endNs, long reclaimNs, TaskId task) implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * Counts the datagrams that one socket of the watched port got since the recording began.
     *
     * @param firstNs of the first, ns
     * @param lastNs of the last, ns
     * @param inode of the socket
     * @param netns inode of its network namespace
     */
    record Deliveries(long firstNs, long lastNs, long count, long inode, long netns) implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return lastNs;
        }
    }

    /**
     * Says that a thread took datagrams from a socket.
     *
     * @param lastNs when it took the last, ns
     * @param inode of the socket
     */
    record Receipts(long lastNs, long inode, TaskId task) implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return lastNs;
        }
    }

    /**
     * Is what a thread that was on a processor did at one time.
     *
     * @param timeNs when, ns
     * @param kernelStack innermost first; empty if it was in user mode
     * @param userStack innermost first; empty if unknown
     */
    record Sample(long timeNs, TaskId task, List<String> kernelStack, List<StackFrame> userStack)
            implements KernelRecord {
        public Sample {
            kernelStack = kernelStack == null ? List.of() : List.copyOf(kernelStack);
            userStack = userStack == null ? List.of() : List.copyOf(userStack);
        }
    }

    /**
     * Is a time of 100 µs or more in which another thread ran on the only processor on which a recorded thread may run.
     *
     * @param task the recorded thread, which waited or slept
     * @param other the thread that ran; one of the kernel has the process id 0 or its own
     */
    record Shared(int cpu, long beginNs, long endNs, TaskId task, TaskId other) implements KernelRecord {
        @Override
        @JsonIgnore
        public long timeNs() {
            return endNs;
        }
    }
}
