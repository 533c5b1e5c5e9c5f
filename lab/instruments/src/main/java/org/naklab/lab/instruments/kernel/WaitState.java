package org.naklab.lab.instruments.kernel;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why a thread left its processor. */
public enum WaitState {
    /** Gave the processor away and could have gone on: {@code sched_yield}. */
    @JsonProperty("runnable")
    RUNNABLE,
    /** Was made to leave by the scheduler: another thread, or the end of a quota. */
    @JsonProperty("preempted")
    PREEMPTED,
    /** State S: sleeps until an event or a signal. */
    @JsonProperty("sleeping")
    SLEEPING,
    /** State D: waits for an event and takes no signal. */
    @JsonProperty("blocked")
    BLOCKED,
    /** State I: a kernel thread without work. */
    @JsonProperty("idle")
    IDLE,
    /** Is frozen by a cgroup freezer, whatever it waited for before. */
    @JsonProperty("frozen")
    FROZEN,
    /** State T: stopped by a signal. */
    @JsonProperty("stopped")
    STOPPED,
    /** State t: stopped by a tracer. */
    @JsonProperty("traced")
    TRACED,
    /** A state of which this version knows no more. */
    @JsonProperty("other")
    OTHER;

    /** Returns whether the thread could have run, had it been given a processor. */
    public boolean isRunnable() {
        return this == RUNNABLE || this == PREEMPTED;
    }

    /** Returns the state for a letter of {@code /proc/PID/stat}. */
    static WaitState ofLetter(char letter) {
        return switch (letter) {
            case 'R' -> RUNNABLE;
            case 'S' -> SLEEPING;
            case 'D' -> BLOCKED;
            case 'I' -> IDLE;
            case 'T' -> STOPPED;
            case 't' -> TRACED;
            default -> OTHER;
        };
    }
}
