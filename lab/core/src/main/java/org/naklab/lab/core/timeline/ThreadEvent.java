package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

/** Reports what a thread did, or what was done to it. */
public sealed interface ThreadEvent extends TimelineEvent {
    /** A report of the thread's JVM, which knows the whole name of a thread. */
    sealed interface OfJvm extends ThreadEvent {
        List<String> stack();

        String where();

        /** Returns the ids of the thread. */
        Ids ids();

        /** Returns the same for the name that the kernel keeps of the thread's. */
        OfJvm ofThread(String kept);
    }

    /**
     * The ids that the JVM has for a thread.
     *
     * @param osThread the id for the system; 0, or null of an earlier version: unknown
     * @param javaThread the name; null: the name of the event
     */
    record Ids(@Nullable Long osThread, @Nullable String javaThread) {}

    /**
     * A wait as reported by the thread's JVM.
     */
    record JavaWait(Interval interval, String process, String thread, Call call, Lock lock, Ids ids) implements OfJvm {
        /**
         * Tells where in its code the thread waited.
         *
         * @param what it waited for
         * @param where in its code
         */
        public record Call(String what, String where, List<String> stack) {}

        /**
         * Tells for what it waited.
         *
         * @param kind of the account; null: unknown
         * @param object for which it waited; null: unknown
         */
        public record Lock(@Nullable String kind, @Nullable String object) {}

        @Override
        public List<String> stack() {
            return call.stack();
        }

        @Override
        public String where() {
            return call.where();
        }

        @Override
        public JavaWait ofThread(String kept) {
            return new JavaWait(interval, process, kept, call, lock, new Ids(ids.osThread(), thread));
        }
    }

    /**
     * Consecutive samples of a thread's Java stack were in the same method.
     */
    record JavaStack(Interval interval, String process, String thread, Code code, Ids ids) implements OfJvm {
        /**
         * Tells where in its code the thread was.
         *
         * @param isNative whether native code was called from there
         */
        public record Code(boolean isNative, String where, List<String> stack) {}

        @Override
        public List<String> stack() {
            return code.stack();
        }

        @Override
        public String where() {
            return code.where();
        }

        @Override
        public JavaStack ofThread(String kept) {
            return new JavaStack(interval, process, kept, code, new Ids(ids.osThread(), thread));
        }
    }

    /**
     * A symbol was bound at its first call.
     */
    record SymbolBound(long timeNs, String process, String thread, String symbol, long threadId, LookUp look)
            implements ThreadEvent {
        /**
         * Tells what the look-up took.
         *
         * @param majorFaults meanwhile; null: nobody counted
         * @param isDelayed what the library that delays binds says of it; null: nothing
         */
        public record LookUp(
                double durationMs,
                @Nullable Long majorFaults,
                @Nullable Boolean isDelayed) {}

        @Override
        public Interval interval() {
            return new Interval(timeNs, timeNs + (long) (look.durationMs() * Units.NS_PER_MS));
        }

        /** Returns the same as it is seen without the library. */
        public SymbolBound withoutDelay() {
            return new SymbolBound(
                    timeNs,
                    process,
                    thread,
                    symbol,
                    threadId,
                    new SymbolBound.LookUp(look.durationMs(), look.majorFaults(), null));
        }
    }

    /**
     * Major faults of a thread, as its counter tells.
     *
     * @param earliestNs when they may have happened, as often as the counter is read
     * @param seenNs when they were seen
     */
    record MajorFaults(
            long timeNs, String process, String thread, long faults, long total, long earliestNs, long seenNs)
            implements ThreadEvent {}

    /** A signal or a tracer has stopped the thread; {@code state} is the kernel's letter. */
    record Stopped(long timeNs, String process, String thread, String state) implements ThreadEvent {}

    /**
     * The thread goes on after a stop.
     *
     * @param beganNs when it was stopped
     */
    record Continued(long timeNs, String process, String thread, String state, long beganNs, long durationNs)
            implements ThreadEvent {
        @Override
        public Interval interval() {
            return new Interval(beganNs, timeNs);
        }
    }

    /** The thread was runnable for {@code delayNs}, and waited for a processor. */
    record RunQueueDelay(long timeNs, String process, String thread, long delayNs, long endNs) implements ThreadEvent {
        @Override
        public Interval interval() {
            return new Interval(timeNs, timeNs + delayNs);
        }
    }

    /** The thread had nothing to wait for but its own time or another thread, as far as it was seen. */
    record Slept(Interval interval, String process, String thread) implements ThreadEvent {}

    /** A callback of the thread took too long. */
    record SlowCallback(Interval interval, String process, String thread, long endNs) implements ThreadEvent {}

    /** A gap in the heartbeat is going on; {@code seenNs}: when that was seen. */
    record StallBegan(long timeNs, String process, String thread, long seenNs) implements ThreadEvent {}

    /** An interrupt ran on the CPU of the thread; {@code lateNs}: how late the softirq began. */
    record Interrupted(Interval interval, String process, String thread, String kind, String name, int cpu, long lateNs)
            implements ThreadEvent {}

    /**
     * Tells what a thread that was on a CPU did at one time.
     *
     * @param kernelStack functions, innermost first; empty if the thread was in user mode
     * @param userStack functions, innermost first; empty if unknown
     */
    record ThreadSample(
            String process,
            String thread,
            long timeNs,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> kernelStack,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> userStack)
            implements ThreadEvent {
        /** The CPU time of a thread between two of its samples, ns. */
        public static final long PERIOD_NS = 10_000_000;

        public ThreadSample {
            kernelStack = List.copyOf(kernelStack);
            userStack = List.copyOf(userStack);
        }
    }

    /**
     * One time in which a thread reclaimed memory before it got a page.
     *
     * @param interval from the first of several times that follow each other soon to the last
     * @param reclaimNs how long it reclaimed in between, on a CPU or waiting, ns
     */
    record MemoryReclaim(String process, String thread, Interval interval, long reclaimNs) implements ThreadEvent {}

    /**
     * The rate limiter had room again and woke the senders that it had refused.
     *
     * @param thread of the context
     * @param blockedSends sends that it had refused since it woke senders before
     */
    record SendersWoken(long timeNs, String process, String thread, long blockedSends) implements ThreadEvent {}

    /** The rate limiter of a context refused or queued a datagram; the thread is that of the context. */
    record RateLimitHit(long timeNs, String process, String thread) implements ThreadEvent {}

    /** The rate limiter found its lock held and could not wake senders; the thread is that of the context. */
    record WakeFailed(long timeNs, String process, String thread) implements ThreadEvent {}
}
