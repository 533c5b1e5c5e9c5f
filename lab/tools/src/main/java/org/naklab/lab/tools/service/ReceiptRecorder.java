package org.naklab.lab.tools.service;

import io.aeron.logbuffer.ControlledFragmentHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.naklab.subscriber.ServiceCounters;

/** Records each callback of the receipt thread and how many messages wait for the journal then, and tells those during a roll from the others. */
final class ReceiptRecorder {
    /** Callbacks that the transport repeats because the ring was full are recorded too. */
    private static final int SPARE = 100_000;

    private final long[] beganNs;
    private final long[] tookNs;
    private final long[] waiting;
    private final List<Roll> rolls = new CopyOnWriteArrayList<>();
    private volatile @Nullable ServiceCounters counters;
    private int callbacks;
    private long taken;

    /**
     * Tells what the receipt thread had of the rolls.
     *
     * @param deepestAtRoll most messages that waited for the journal while it rolled; 0 without a roll
     * @param longestAtRollNs the longest callback that overlapped with a roll; 0 without one
     * @param longestRollNs from before the file was created until its first record was written
     */
    record Receipt(
            long deepestAtRoll,
            long deepestBetween,
            long longestAtRollNs,
            long longestBetweenNs,
            long longestRollNs,
            int rolls) {
        long deepest() {
            return Math.max(deepestAtRoll, deepestBetween);
        }
    }

    private record Roll(long beginNs, long endNs) {}

    ReceiptRecorder(int events) {
        beganNs = new long[events + SPARE];
        tookNs = new long[events + SPARE];
        waiting = new long[events + SPARE];
    }

    void begin(ServiceCounters ofService) {
        counters = ofService;
    }

    void onRoll(long beginNs, long endNs) {
        rolls.add(new Roll(beginNs, endNs));
    }

    ControlledFragmentHandler observe(ControlledFragmentHandler handler) {
        return (buffer, offset, length, header) -> {
            long beginNs = System.nanoTime();
            ControlledFragmentHandler.Action action = handler.onFragment(buffer, offset, length, header);
            record(beginNs, System.nanoTime() - beginNs, action);
            return action;
        };
    }

    private void record(long beginNs, long durationNs, ControlledFragmentHandler.Action action) {
        ServiceCounters service = counters;
        if (service == null || callbacks == beganNs.length) {
            return;
        }
        if (action != ControlledFragmentHandler.Action.ABORT) {
            taken++;
        }
        beganNs[callbacks] = beginNs;
        tookNs[callbacks] = durationNs;
        waiting[callbacks] = taken - service.journaled();
        callbacks++;
    }

    /** Returns what was recorded, when the receipt thread has ended. */
    Receipt receipt() {
        return new Receipt(
                highest(waiting, true),
                highest(waiting, false),
                highest(tookNs, true),
                highest(tookNs, false),
                rolls.stream()
                        .mapToLong(roll -> roll.endNs() - roll.beginNs())
                        .max()
                        .orElse(0),
                rolls.size());
    }

    private long highest(long[] values, boolean isAtRoll) {
        return IntStream.range(0, callbacks)
                .filter(i -> isAtRoll == overlapsRoll(i))
                .mapToLong(i -> values[i])
                .max()
                .orElse(0);
    }

    private boolean overlapsRoll(int callback) {
        long beginNs = beganNs[callback];
        long endNs = beginNs + tookNs[callback];
        return rolls.stream().anyMatch(roll -> beginNs - roll.endNs() <= 0 && endNs - roll.beginNs() >= 0);
    }
}
