package org.naklab.faults;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;

/** One fault's way through a run: waits for its base time, then for its due time, is armed, is disarmed. */
final class ScheduledFault {
    private enum State {
        AWAITS_BASE,
        AWAITS_DUE,
        ARMED,
        OVER
    }

    /** A fault may be disarmed late on a machine that is stalled. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final String LATE =
            "; its guard ended it when its time was over, as this process stood still: figures of its length are not right";

    private final FaultSpec spec;
    private final Fault fault;
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

    void onStart(FaultClock clock) {
        if (spec.when().trigger() == null) {
            schedule(clock);
        }
    }

    void onTrigger(String trigger, FaultClock clock) {
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

    /** Arms or disarms if it is time; monotonic time of the next change, or {@link Long#MAX_VALUE}. */
    long poll(FaultClock clock) {
        if (state == State.AWAITS_DUE && clock.monotonicNs() - nextNs >= 0) {
            arm(clock);
        }
        if (state == State.ARMED && clock.monotonicNs() - nextNs >= 0) {
            tryToDisarm();
        }
        return nextNs;
    }

    /** The time of the fault begins when it is armed: a container's takes seconds. */
    private void arm(FaultClock clock) {
        state = State.ARMED;
        try (Guard.Bound time = Guard.within(spec.forMs())) {
            bound = time;
            fault.arm();
            time.begin();
            wasArmed = true;
            nextNs = clock.monotonicNs() + TimeUnit.MILLISECONDS.toNanos(spec.forMs());
        } catch (RuntimeException e) {
            // Handed on by the proof, which is how the run learns why nothing happened.
            failure = reason(e);
            tryToDisarm();
        }
    }

    /**
     * Disarms the fault now.
     *
     * @throws RuntimeException if the fault cannot be undone; {@link #left} says so from then on
     */
    void disarm() {
        RuntimeException failed = tryToDisarm();
        if (failed != null) {
            throw failed;
        }
    }

    /** Disarms the fault; returns the failure, which {@link #left} tells as well: the others of the process must still be armed and disarmed. */
    private @Nullable RuntimeException tryToDisarm() {
        state = State.OVER;
        nextNs = Long.MAX_VALUE;
        wasLate = wasEndedByGuard();
        try {
            fault.disarm();
            undoFailure = null;
            return null;
        } catch (RuntimeException e) {
            if (wasEndedByGuard()) {
                // There is nothing to undo any more.
                return null;
            }
            undoFailure = reason(e);
            return e;
        }
    }

    private boolean wasEndedByGuard() {
        return bound != null && bound.wasReached();
    }

    private static @Nullable String reason(RuntimeException e) {
        return e instanceof FaultException ? e.getMessage() : e.toString();
    }

    /** Returns why something of the fault is left at this time: it cannot be undone, or it is armed beyond its time; empty if not. */
    Optional<String> left(long nowNs) {
        if (undoFailure != null) {
            return Optional.of("could not be undone: " + undoFailure);
        }
        return state == State.ARMED && nowNs - nextNs > GRACE_NS
                ? Optional.of("still armed " + TimeUnit.NANOSECONDS.toMillis(nowNs - nextNs) + " ms after its end")
                : Optional.empty();
    }

    FaultState state() {
        FaultState.Phase phase =
                switch (state) {
                    case AWAITS_BASE, AWAITS_DUE -> FaultState.Phase.WAITING;
                    case ARMED -> FaultState.Phase.ARMED;
                    case OVER -> FaultState.Phase.OVER;
                };
        return new FaultState(phase, proof());
    }

    boolean isArmed() {
        return state == State.ARMED;
    }

    /** Returns true if it is armed or was. */
    boolean wasArmed() {
        return wasArmed;
    }

    FaultProof proof() {
        if (failure != null) {
            return FaultProof.notFired("could not be armed: " + failure);
        }
        if (state == State.AWAITS_BASE) {
            return FaultProof.notFired(
                    spec.when().trigger() == null
                            ? "not armed: the plan has not been started"
                            : "not armed: nothing has triggered " + spec.when().trigger());
        }
        if (state == State.AWAITS_DUE) {
            return FaultProof.notFired("not armed: its time has not come");
        }
        try {
            FaultProof proof = fault.proof();
            return wasLate
                    ? new FaultProof(proof.fired(), proof.explanation() + LATE, proof.figures(), proof.firings())
                    : proof;
        } catch (FaultException e) {
            return FaultProof.notFired("cannot be proved: " + e.getMessage());
        }
    }
}
