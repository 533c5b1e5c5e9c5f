package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.StallAccount;

/**
 * A context thread's duty cycle stood still.
 *
 * @param process whose thread it was
 * @param thread empty: unknown, of a client of a media driver that did not poll
 * @param atNs when it began, on the clock of the timeline
 * @param majorFaults of that thread meanwhile; -1 where the machine does not tell
 * @param cause as far as it is known
 * @param account the parts of the stall; empty if the run kept none
 */
@JsonPropertyOrder({"atNs", "durationMs", "process", "thread", "majorFaults", "cause", "account"})
public record Stall(
        String process,
        long atNs,
        double durationMs,
        String thread,
        long majorFaults,
        String cause,

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = StallAccount.OmitIfEmpty.class)
        StallAccount account) {
    /** A stall without an account. */
    public Stall(String process, long atNs, double durationMs, String thread, long majorFaults, String cause) {
        this(process, atNs, durationMs, thread, majorFaults, cause, StallAccount.NONE);
    }

    /** Reads a stall of any version: without a count of major faults, it is not known. */
    @JsonCreator
    static Stall read(
            @JsonProperty("process") @Nullable String process,
            @JsonProperty("atNs") long atNs,
            @JsonProperty("durationMs") double durationMs,
            @JsonProperty("thread") @Nullable String thread,
            @JsonProperty("majorFaults") @Nullable Long majorFaults,
            @JsonProperty("cause") @Nullable String cause,
            @JsonProperty("account") @Nullable StallAccount account) {
        return new Stall(
                Absent.orUnknown(process),
                atNs,
                durationMs,
                Absent.orEmpty(thread),
                majorFaults == null ? -1 : majorFaults,
                Absent.orUnknown(cause),
                account == null ? StallAccount.NONE : account);
    }

    /** Returns this stall with another cause. */
    Stall as(String otherCause) {
        return new Stall(process, atNs, durationMs, thread, majorFaults, otherCause, account);
    }

    /** Returns the thread for people, also if it is not known. */
    public String who() {
        return thread.isEmpty() ? "the thread that polls" : thread;
    }

    /** Returns whether the service stood still; early versions told the thread alone. */
    boolean isOfService() {
        return process.equals(ProcessNames.SERVICE) || thread.equals(ProcessNames.SERVICE_THREAD);
    }

    /** Returns its length in nanoseconds. */
    public long durationNs() {
        return Math.round(durationMs * Units.NS_PER_MS);
    }

    /** Returns when it ended, on the clock of the timeline. */
    public long endNs() {
        return atNs + durationNs();
    }
}
