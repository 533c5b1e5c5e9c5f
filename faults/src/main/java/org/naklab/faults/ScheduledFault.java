package org.naklab.faults;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One fault's way through a run: waits for its base time, then for its due time, is armed, is disarmed. */
final class ScheduledFault {
    private enum State {
        AWAITS_BASE,
        AWAITS_DUE,
        ARMED,
        OVER
    }

    private final FaultSpec spec;
    private final Fault fault;
    private State state = State.AWAITS_BASE;
    private long nextNs = Long.MAX_VALUE;
    private boolean wasArmed;
    private @Nullable String failure;

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
    long poll(long nowNs) {
        if (state == State.AWAITS_DUE && nowNs - nextNs >= 0) {
            arm(nowNs);
        }
        if (state == State.ARMED && nowNs - nextNs >= 0) {
            disarm();
        }
        return nextNs;
    }

    private void arm(long nowNs) {
        state = State.ARMED;
        nextNs = nowNs + TimeUnit.MILLISECONDS.toNanos(spec.forMs());
        try {
            fault.arm();
            wasArmed = true;
        } catch (RuntimeException e) {
            // Handed on by the proof, which is how the run learns why nothing happened.
            failure = e instanceof FaultException ? e.getMessage() : e.toString();
            disarm();
        }
    }

    void disarm() {
        state = State.OVER;
        nextNs = Long.MAX_VALUE;
        fault.disarm();
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
            return fault.proof();
        } catch (FaultException e) {
            return FaultProof.notFired("cannot be proved: " + e.getMessage());
        }
    }
}
