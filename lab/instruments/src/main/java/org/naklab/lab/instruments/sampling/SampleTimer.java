package org.naklab.lab.instruments.sampling;

import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.instruments.linux.DeadlineSleeper;
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.linux.NativeSampler;

/**
 * Ticks on absolute deadlines: a late one does not delay those after it, and a missed one is counted, not made up for. With
 * {@link NativeSampler}, several ticks pass in one call and sockets are looked at in each; without it, or on another clock than
 * the system's, each tick is a call of its own. One thread.
 *
 * <pre>
 *  0 next deadline:64   8 period:64  16 most ticks:64  24 lateness that is an alarm:64  32 last tick:64
 * 40 ticks:64  48 missed:64  56 greatest lateness:64  64 its deadline:64  72 alarm:64  80 looks so far:64  88 their time:64
 * 96 first timer:32  100 second timer:32  104 whose turn:32  112 set for:64
 * </pre>
 */
public final class SampleTimer implements AutoCloseable {
    static final long NO_ALARM = Long.MAX_VALUE;

    private static final int DEADLINE = 0;
    private static final int PERIOD = 8;
    private static final int MOST_TICKS = 16;
    private static final int ALARM_LATENESS = 24;
    private static final int LAST_TICK = 32;
    private static final int TICKS = 40;
    private static final int MISSED = 48;
    private static final int GREATEST_LATENESS = 56;
    private static final int GREATEST_LATENESS_DEADLINE = 64;
    private static final int ALARM = 72;
    private static final int LOOKS = 80;
    private static final int LOOK_TIME = 88;
    private static final int FIRST_TIMER = 96;
    private static final int SECOND_TIMER = 100;
    private static final int CALM_PERIODS = 108;
    private static final int LENGTH = 128;
    private static final int NO_TIMER = -1;
    private static final int MAX_PANELS = 64;

    private final NanoClock clock;
    private final boolean isNative;
    private final Sleeper sleeper;
    private final NativeMemory memory = new NativeMemory(LENGTH);
    private final UnsafeBuffer table = memory.view();
    private final NativeMemory panelAddresses = new NativeMemory(MAX_PANELS * Long.BYTES);

    /**
     * Creates a timer that has not started.
     *
     * @param periodNs between two ticks
     * @param alarmLatenessNs a tick that is late by this much ends an {@link #await}; {@link #NO_ALARM}: none does
     */
    public SampleTimer(NanoClock clock, long periodNs, long alarmLatenessNs) {
        this(clock, new DeadlineSleeper()::sleepUntil, periodNs, alarmLatenessNs);
    }

    /**
     * Creates a timer that has not started.
     *
     * @param sleeper sleeps by the same clock; not used with the native library
     */
    SampleTimer(NanoClock clock, Sleeper sleeper, long periodNs, long alarmLatenessNs) {
        this.clock = clock;
        this.sleeper = sleeper;
        isNative = NativeSampler.isAvailable() && clock == SystemNanoClock.INSTANCE;
        table.putLong(PERIOD, periodNs);
        table.putLong(ALARM_LATENESS, alarmLatenessNs);
        table.putInt(FIRST_TIMER, NO_TIMER);
        table.putInt(SECOND_TIMER, NO_TIMER);
    }

    /**
     * Sleeps on timers from now on, if they are to be had. That takes less of the processor than to sleep as cyclictest does, which is what
     * this does otherwise. Once.
     */
    void openTimers() {
        if (isNative) {
            NativeSampler.openTimers(memory.address());
        }
    }

    /** Returns whether the timer sleeps on kernel timers. */
    boolean hasTimers() {
        return table.getInt(FIRST_TIMER) != NO_TIMER;
    }

    /** Starts the timer; the first deadline is one period from now. */
    public void start() {
        table.putLong(DEADLINE, clock.nanoTime() + periodNs());
    }

    /**
     * Sleeps through some ticks; without the native library through one at most, and through none if it is woken before.
     *
     * @param maxTicks at least one
     * @param pollTables sockets that are polled in each tick
     * @param words memory words that are read in each tick
     */
    public void await(long maxTicks, List<SocketPollTable> pollTables, Watchpoints words) {
        if (!isNative) {
            awaitOne();
            return;
        }
        int count = Math.min(MAX_PANELS, pollTables.size());
        for (int i = 0; i < count; i++) {
            panelAddresses.view().putLong(i * Long.BYTES, pollTables.get(i).address());
        }
        table.putLong(MOST_TICKS, maxTicks);
        NativeSampler.await(memory.address(), panelAddresses.address(), count, words.address(), words.count());
    }

    /**
     * Sets how many periods are between two ticks while no socket fills or waits to be read, and no word is to be heard; 1: as many as at other times. Without the native
     * library, each period has its tick.
     */
    void setCalmPeriods(int periods) {
        table.putInt(CALM_PERIODS, periods);
    }

    /** Returns whether words are watched, which needs the native library. */
    boolean listens() {
        return isNative;
    }

    long periodNs() {
        return table.getLong(PERIOD);
    }

    /** Returns the deadline of the next tick. */
    long deadlineNs() {
        return table.getLong(DEADLINE);
    }

    /** Returns the time of the last tick. */
    public long nowNs() {
        return table.getLong(LAST_TICK);
    }

    /** Returns the ticks of the last {@link #await}; the methods below describe the same call. */
    public long ticks() {
        return table.getLong(TICKS);
    }

    /** Returns the periods without a tick because the thread was late. */
    long missed() {
        return table.getLong(MISSED);
    }

    public long maxLatenessNs() {
        return table.getLong(GREATEST_LATENESS);
    }

    /** Returns the deadline of the latest tick. */
    public long maxLateDeadlineNs() {
        return table.getLong(GREATEST_LATENESS_DEADLINE);
    }

    /** Returns whether the last {@link #await} ended early: by a late tick, a drop, many changes, or a word. */
    public boolean isAlarmed() {
        return table.getLong(ALARM) != 0;
    }

    /** Returns the number of socket polls and their total time so far, in ns. */
    InstrumentCost lookCost() {
        return new InstrumentCost("(looks)", table.getLong(LOOKS), table.getLong(LOOK_TIME));
    }

    /** Closes the kernel timers, if there are any; afterwards the timer sleeps without them. */
    @Override
    public void close() {
        if (isNative) {
            NativeSampler.closeTimers(memory.address());
        }
    }

    /** Sleeps until a deadline. */
    @FunctionalInterface
    interface Sleeper {
        /** Returns at the deadline, or before it if the thread is woken. */
        void sleepUntil(long deadlineNs);
    }

    private void awaitOne() {
        for (int field = TICKS; field <= ALARM; field += Long.BYTES) {
            table.putLong(field, 0);
        }
        long deadlineNs = deadlineNs();
        long nowNs = clock.nanoTime();
        if (nowNs - deadlineNs < 0) {
            sleeper.sleepUntil(deadlineNs);
            nowNs = clock.nanoTime();
        }
        if (nowNs - deadlineNs < 0) {
            return;
        }
        long missed = (nowNs - deadlineNs) / periodNs();
        table.putLong(DEADLINE, deadlineNs + (missed + 1) * periodNs());
        table.putLong(LAST_TICK, nowNs);
        table.putLong(TICKS, 1);
        table.putLong(MISSED, missed);
        table.putLong(GREATEST_LATENESS, nowNs - deadlineNs);
        table.putLong(GREATEST_LATENESS_DEADLINE, deadlineNs);
        table.putLong(ALARM, nowNs - deadlineNs >= table.getLong(ALARM_LATENESS) ? 1 : 0);
    }
}
