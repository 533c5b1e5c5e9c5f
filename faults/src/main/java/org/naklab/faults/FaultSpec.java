package org.naklab.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a plan.
 *
 * @param id names it within the plan; the kind, if left out
 * @param kind {@link FaultKind#name()}
 * @param on the process it strikes, with {@code *} for any characters; every process, if left out
 * @param when it is armed; at the start, if left out
 * @param forMs how long it stays armed, at most {@link #MAX_FOR_MS}; {@link #DEFAULT_FOR_MS} if left out
 * @param parameters the kind's own
 */
public record FaultSpec(String id, String kind, String on, When when, long forMs, JsonNode parameters) {
    /** Every fault ends by itself. */
    public static final long MAX_FOR_MS = 3_600_000;

    public static final long DEFAULT_FOR_MS = 60_000;

    @SuppressWarnings("NullAway")
    public FaultSpec(
            @Nullable String id,
            @Nullable String kind,
            @Nullable String on,
            @Nullable When when,
            long forMs,
            @Nullable JsonNode parameters) {
        if (kind == null || kind.isBlank()) {
            throw new FaultException("a fault needs a kind");
        }
        this.kind = kind;
        this.id = id == null ? kind : id;
        this.on = on == null ? "*" : on;
        this.when = when == null ? When.AT_START : when;
        this.forMs = Limits.within(this.id + ": forMs", forMs == 0 ? DEFAULT_FOR_MS : forMs, 1, MAX_FOR_MS);
        this.parameters = parameters == null ? JsonNodeFactory.instance.objectNode() : parameters;
    }

    /** A fault of a kind on a process, armed at the start. */
    public static FaultSpec of(String kind, String on, Record parameters) {
        return new FaultSpec(null, kind, on, null, 0, Json.toTree(parameters));
    }

    public FaultSpec withWhen(When newWhen) {
        return new FaultSpec(id, kind, on, newWhen, forMs, parameters);
    }

    public FaultSpec withForMs(long newForMs) {
        return new FaultSpec(id, kind, on, when, newForMs, parameters);
    }

    /**
     * The parameters as the kind's record.
     *
     * @throws FaultException if one is unknown, of the wrong type or out of bounds
     */
    public <P extends Record> P parametersAs(Class<P> type) {
        Fields.check(parameters, type, kind, "parameter");
        return Json.fromTree(parameters, type, id);
    }

    /** Returns whether the fault is on that process. */
    public boolean strikes(String process) {
        return Glob.matches(on, process);
    }
}
