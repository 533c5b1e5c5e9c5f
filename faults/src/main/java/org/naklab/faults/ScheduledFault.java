package org.naklab.faults;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;

/**
 * One fault's way through a run: waits for its base time, then for its due time, is armed, is disarmed. Thread-safe. Arming and disarming, which may take seconds,
 * exclude each other and nothing else: the rest answers meanwhile.
 */
final class ScheduledFault {
    private enum State {
        AWAITS_BASE,
        AWAITS_DUE,
        ARMING,
        ARMED,
        OVER
    }

    /** A fault may be disarmed late on a machine that is stalled. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final String LATE =
            "; its guard ended it when its time was over, as this process stood still: figures of its length are not right";

    private final FaultSpec spec;
    private final Fault fault;
    /** Held while the fault is armed and disarmed; the fields are guarded by this object. */
    private final Lock acting = new ReentrantLock();

    private State state = State.AWAITS_BASE;
    private long nextNs = Long.MAX_VALUE;
    private boolean wasArmed;
    private Guard.@Nullable Bound bound;
    private boolean wasLate;
    private @Nullable String failure;
    private @Nullable String undoFailure;

    ScheduledFault(FaultSpec spec, Fault fault) {
        this.spec = spec;
        this.fault = fault;
    }

    synchronized void onStart(FaultClock clock) {
        if (spec.when().trigger() == null) {
            schedule(clock);
        }
    }

    synchronized void onTrigger(String trigger, FaultClock clock) {
        if (trigger.equals(spec.when().trigger())) {
            schedule(clock);
        }
    }

    private void schedule(FaultClock clock) {
        if (state == State.AWAITS_BASE) {
            state = State.AWAITS_DUE;
            nextNs = spec.when().dueNs(clock.monotonicNs(), clock);
        }
    }

    /** Arms or disarms if it is time. */
    void poll(FaultClock clock) {
        acting.lock();
        try {
            if (begins(State.AWAITS_DUE, clock)) {
                arm(clock);
            }
            if (begins(State.ARMED, clock)) {
                tryToDisarm();
            }
        } finally {
            acting.unlock();
        }
    }

    /** Returns whether it is in a state whose time is over; one whose time to be armed has come is being armed from then on. */
    private synchronized boolean begins(State from, FaultClock clock) {
        if (state != from || clock.monotonicNs() - nextNs < 0) {
            return false;
        }
        if (state == State.AWAITS_DUE) {
            state = State.ARMING;
            nextNs = Long.MAX_VALUE;
        }
        return true;
    }

    /** Returns the monotonic time of the next change, or {@link Long#MAX_VALUE}. */
    synchronized long nextNs() {
        return nextNs;
    }

    /** The time of the fault begins when it is armed: a container's takes seconds. */
    private void arm(FaultClock clock) {
        try (Guard.Bound time = Guard.within(spec.forMs())) {
            bound = time;
            fault.arm();
            time.begin();
            onArmed(clock.monotonicNs() + TimeUnit.MILLISECONDS.toNanos(spec.forMs()));
        } catch (RuntimeException e) {
            // Handed on by the proof, which is how the run learns why nothing happened.
            onFailed(e);
            tryToDisarm();
        }
    }

    private synchronized void onArmed(long endNs) {
        state = State.ARMED;
        wasArmed = true;
        nextNs = endNs;
    }

    private synchronized void onFailed(RuntimeException e) {
        failure = reason(e);
    }

    /**
     * Disarms the fault now.
     *
     * @throws RuntimeException if the fault cannot be undone; {@link #left} says so from then on
     */
    void disarm() {
        acting.lock();
        try {
            RuntimeException failed = tryToDisarm();
            if (failed != null) {
                throw failed;
            }
        } finally {
            acting.unlock();
        }
    }

    /** Disarms the fault; returns the failure, which {@link #left} tells as well: the others of the process must still be armed and disarmed. */
    private @Nullable RuntimeException tryToDisarm() {
        onOver(wasEndedByGuard());
        try {
            fault.disarm();
            onUndone(null);
            return null;
        } catch (RuntimeException e) {
            if (wasEndedByGuard()) {
                // There is nothing to undo any more.
                return null;
            }
            onUndone(reason(e));
            return e;
        }
    }

    private synchronized void onOver(boolean isLate) {
        state = State.OVER;
        nextNs = Long.MAX_VALUE;
        wasLate = isLate;
    }

    private synchronized void onUndone(@Nullable String why) {
        undoFailure = why;
    }

    private boolean wasEndedByGuard() {
        return bound != null && bound.wasReached();
    }

    private static @Nullable String reason(RuntimeException e) {
        return e instanceof FaultException ? e.getMessage() : e.toString();
    }

    /** Returns why something of the fault is left at this time: it cannot be undone, or it is armed beyond its time; empty if not. */
    synchronized Optional<String> left(long nowNs) {
        if (undoFailure != null) {
            return Optional.of("could not be undone: " + undoFailure);
        }
        return state == State.ARMED && nowNs - nextNs > GRACE_NS
                ? Optional.of("still armed " + TimeUnit.NANOSECONDS.toMillis(nowNs - nextNs) + " ms after its end")
                : Optional.empty();
    }

    FaultState state() {
        return new FaultState(phase(), proof());
    }

    private synchronized FaultState.Phase phase() {
        return switch (state) {
            case AWAITS_BASE, AWAITS_DUE, ARMING -> FaultState.Phase.WAITING;
            case ARMED -> FaultState.Phase.ARMED;
            case OVER -> FaultState.Phase.OVER;
        };
    }

    synchronized boolean isArmed() {
        return state == State.ARMED;
    }

    /** Returns true if it is armed or was. */
    synchronized boolean wasArmed() {
        return wasArmed;
    }

    FaultProof proof() {
        Optional<String> missing = missing();
        if (missing.isPresent()) {
            return FaultProof.notFired(missing.get());
        }
        try {
            FaultProof proof = fault.proof();
            return isLate()
                    ? new FaultProof(proof.fired(), proof.explanation() + LATE, proof.figures(), proof.firings())
                    : proof;
        } catch (FaultException e) {
            return FaultProof.notFired("cannot be proved: " + e.getMessage());
        }
    }

    private synchronized boolean isLate() {
        return wasLate;
    }

    /** Returns why the fault has not been armed; empty if it was. */
    private synchronized Optional<String> missing() {
        if (failure != null) {
            return Optional.of("could not be armed: " + failure);
        }
        String trigger = spec.when().trigger();
        return switch (state) {
            case AWAITS_BASE ->
                Optional.of(
                        trigger == null
                                ? "not armed: the plan has not been started"
                                : "not armed: nothing has triggered " + trigger);
            case AWAITS_DUE -> Optional.of("not armed: its time has not come");
            case ARMING -> Optional.of("not armed yet: it is being armed");
            case ARMED, OVER -> Optional.empty();
        };
    }
}
