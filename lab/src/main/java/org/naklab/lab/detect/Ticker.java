package org.naklab.lab.detect;

import java.util.List;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Ticks on absolute deadlines: a late one does not delay those after it, and a missed one is counted, not made up for. With
 * {@link TickLibrary}, several ticks pass in one call and sockets are looked at in each; without it, or on another clock than
 * the system's, each tick is a call of its own. One thread.
 *
 * <pre>
 *  0 next deadline:64   8 period:64  16 most ticks:64  24 lateness that is an alarm:64  32 last tick:64
 * 40 ticks:64  48 missed:64  56 greatest lateness:64  64 its deadline:64  72 alarm:64  80 looks so far:64  88 their time:64
 * </pre>
 */
final class Ticker {
    static final long NO_ALARM = Long.MAX_VALUE;

    private static final int LENGTH = 96;
    private static final int MAX_PANELS = 64;

    private final NanoClock clock;
    private final boolean isNative;
    private final DeadlineSleeper sleeper = new DeadlineSleeper();
    private final NativeMemory memory = new NativeMemory(LENGTH);
    private final UnsafeBuffer table = memory.view();
    private final NativeMemory panelAddresses = new NativeMemory(MAX_PANELS * Long.BYTES);

    /** @param alarmLatenessNs a tick that is so late ends an {@link #await}; {@link #NO_ALARM}: none does */
    Ticker(NanoClock clock, long periodNs, long alarmLatenessNs) {
        this.clock = clock;
        isNative = TickLibrary.isAvailable() && clock == SystemNanoClock.INSTANCE;
        table.putLong(8, periodNs);
        table.putLong(24, alarmLatenessNs);
    }

    /** The first deadline is a period from now. */
    void start() {
        table.putLong(0, clock.nanoTime() + periodNs());
    }

    /**
     * Sleeps through some ticks; without the native library through one at most, and through none if it is woken before.
     *
     * @param maxTicks at least one
     * @param panels looked at in each tick
     * @param words heard in each tick
     */
    void await(long maxTicks, List<SocketPanel> panels, Words words) {
        if (!isNative) {
            awaitOne();
            return;
        }
        int count = Math.min(MAX_PANELS, panels.size());
        for (int i = 0; i < count; i++) {
            panelAddresses.view().putLong(i * Long.BYTES, panels.get(i).address());
        }
        table.putLong(16, maxTicks);
        TickLibrary.await(memory.address(), panelAddresses.address(), count, words.address(), words.count());
    }

    long periodNs() {
        return table.getLong(8);
    }

    /** Of the next tick. */
    long deadlineNs() {
        return table.getLong(0);
    }

    /** When the last tick came. */
    long nowNs() {
        return table.getLong(32);
    }

    /** In the last {@link #await}, as all that follows. */
    long ticks() {
        return table.getLong(40);
    }

    /** Periods without a tick, because the thread was late. */
    long missed() {
        return table.getLong(48);
    }

    long maxLatenessNs() {
        return table.getLong(56);
    }

    /** Of the tick that was so late. */
    long maxLateDeadlineNs() {
        return table.getLong(64);
    }

    /** Whether it ended because of what was seen: a late tick, a drop, many changes, or a word. */
    boolean isAlarmed() {
        return table.getLong(72) != 0;
    }

    /** What looking at sockets has taken so far. */
    InstrumentCost lookCost() {
        return new InstrumentCost("(looks)", table.getLong(80), table.getLong(88));
    }

    private void awaitOne() {
        for (int field = 40; field <= 72; field += Long.BYTES) {
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
        table.putLong(0, deadlineNs + (missed + 1) * periodNs());
        table.putLong(32, nowNs);
        table.putLong(40, 1);
        table.putLong(48, missed);
        table.putLong(56, nowNs - deadlineNs);
        table.putLong(64, deadlineNs);
        table.putLong(72, nowNs - deadlineNs >= table.getLong(24) ? 1 : 0);
    }
}
