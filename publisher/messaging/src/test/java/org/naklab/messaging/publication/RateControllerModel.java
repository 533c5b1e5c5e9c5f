package org.naklab.messaging.publication;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A rate controller between a recording sink and a clock that the test moves, with what was seen of it. */
final class RateControllerModel implements RateListener {
    static final int MAX_PAYLOAD_LENGTH = 1376;
    static final long INTERVAL_NS = 20_000_000;

    final RecordingSink sink = new RecordingSink();
    final HoldableLock lock = new HoldableLock();
    final RateController controller;
    final List<String> calls = new ArrayList<>();
    final List<Long> accepted = new ArrayList<>();
    long nowNs = 1_000;
    long refused;
    long reportedBlocked;
    long mostOverBudgetBytes;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_PAYLOAD_LENGTH]);
    private final long budgetBytes;
    private long nextNumber;
    private long intervalStartBytes;
    private int yields;

    RateControllerModel(long budgetBytes) {
        this.budgetBytes = budgetBytes;
        RateLimit limit = new RateLimit(budgetBytes * 8 * 50, INTERVAL_NS);
        controller =
                new RateController(sink, MAX_PAYLOAD_LENGTH, limit, lock, () -> nowNs, () -> calls.add("yield"), this);
    }

    SendResult offer(int length) {
        message.putLong(0, nextNumber);
        SendResult result = controller.offer(message, 0, length);
        if (result.accepted()) {
            accepted.add(nextNumber);
        } else if (result == SendResult.BLOCKED) {
            refused++;
        }
        nextNumber++;
        noteBudget();
        return result;
    }

    /** One duty cycle of the context's thread. */
    void poll() {
        int yieldsBefore = yields;
        long bytesBefore = sink.bytes;
        if (controller.poll(nowNs) > 0 && yields == yieldsBefore) {
            intervalStartBytes = bytesBefore;
        }
        noteBudget();
    }

    void endInterval() {
        nowNs += INTERVAL_NS;
        poll();
    }

    private void noteBudget() {
        mostOverBudgetBytes = Math.max(mostOverBudgetBytes, sink.bytes - intervalStartBytes - budgetBytes);
    }

    @Override
    public void onRateLimitHit(long timeNs) {
        calls.add("hit");
    }

    @Override
    public void onWakeFailed(long timeNs) {
        calls.add("failed");
    }

    @Override
    public void onYielded(long beginNs, long endNs) {
        calls.add("yielded");
        yields++;
    }

    @Override
    public void onWakeUp(long timeNs, long blockedSends) {
        calls.add("woken " + blockedSends);
        reportedBlocked += blockedSends;
    }
}
