package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.seam.OverBudgetSender;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.testing.Await;

/** The test plays the limiter: reports hits, and tries the lock as the context thread does at an interval's end. */
@Timeout(60)
class RateLimitYieldFaultTest {
    private static final int ALWAYS_MS = 1_000;
    private static final int LONG_HOLD_MS = 1_000;

    private final FaultSite site = new FaultSite("mds");
    private final WakeUpLocks locks = site.offer("mds", new WakeUpLocks());
    private final Lock lock = locks.get();

    private Fault create(@Nullable String drive, int windowMs, int maxHoldMs) {
        Record parameters = new RateLimitYieldFault.Parameters("mds", drive, 1, windowMs, maxHoldMs);
        return new RateLimitYieldFault().create(FaultSpec.of("rate-limit-yield", "mds", parameters), site, 1);
    }

    private boolean tryWakeUp() {
        if (!lock.tryLock()) {
            locks.onWakeFailed(System.nanoTime());
            return false;
        }
        lock.unlock();
        return true;
    }

    @Test
    void shouldMakeTheWakeUpAfterAHitFail() {
        Fault fault = create(null, ALWAYS_MS, LONG_HOLD_MS);
        fault.arm();
        locks.onRateLimitHit(System.nanoTime());
        Await.until("wake-up failed", () -> !tryWakeUp());

        Await.until("fired", () -> fault.proof().fired());
        FaultProof proof = fault.proof();
        assertThat(proof.firings()).hasSize(1);
        assertThat(proof.figure("rateLimitHits")).isEqualTo(1);
        Await.until("lock given back", this::tryWakeUp);
        fault.disarm();
    }

    @Test
    void shouldGiveTheLockBackWhenNobodyTriesIt() {
        Fault fault = create(null, ALWAYS_MS, 1);
        fault.arm();
        locks.onRateLimitHit(System.nanoTime());
        Await.until("held and given back", () -> fault.proof().figure("holds") == 1);

        assertThat(tryWakeUp()).isTrue();
        assertThat(fault.proof().fired()).isFalse();
        assertThat(fault.proof().explanation()).isEqualTo("the limiter did not try its lock while it was held");
        fault.disarm();
    }

    @Test
    void shouldProveThatTheLimitWasNeverHit() {
        Fault fault = create(null, ALWAYS_MS, 1);
        fault.arm();
        assertThat(tryWakeUp()).isTrue();
        fault.disarm();

        assertThat(fault.proof())
                .extracting(FaultProof::fired, FaultProof::explanation)
                .containsExactly(false, "the rate limit was never hit");
    }

    @Test
    void shouldDriveTheSenderOverItsBudgetAtTheSecondBoundary() {
        site.offer("snapshots", new OverBudgetSender(() -> locks.onRateLimitHit(System.nanoTime())));
        Fault fault = create("snapshots", 500, LONG_HOLD_MS);
        fault.arm();
        Await.until("wake-up failed", () -> !tryWakeUp());
        Await.until("fired", () -> fault.proof().fired());
        fault.disarm();

        assertThat(fault.proof().figure("hitsOutsideWindow")).isZero();
    }

    @Test
    void shouldLeaveHitsOutsideTheWindowAlone() {
        Fault fault = create(null, 1, LONG_HOLD_MS);
        fault.arm();
        Await.until(
                "in the middle of a second",
                () -> System.currentTimeMillis() % 1_000 > 300 && System.currentTimeMillis() % 1_000 < 500);
        locks.onRateLimitHit(System.nanoTime());
        fault.disarm();

        assertThat(tryWakeUp()).isTrue();
        assertThat(fault.proof().figure("hitsOutsideWindow")).isEqualTo(1);
        assertThat(fault.proof().fired()).isFalse();
    }

    @Test
    void shouldDoNothingWhenDisarmed() {
        Fault fault = create(null, ALWAYS_MS, LONG_HOLD_MS);
        fault.arm();
        fault.disarm();
        fault.disarm();
        locks.onRateLimitHit(System.nanoTime());
        LockSupport.parkNanos(1);

        assertThat(tryWakeUp()).isTrue();
        assertThat(fault.proof().fired()).isFalse();
        assertThat(fault.proof().figure("rateLimitHits")).isZero();
    }
}
