package org.naklab.faults.description;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a kind of fault.
 *
 * @param name the path in the plan, with the unit at its end, such as {@code delayUs} or {@code select.probability}
 * @param type how the command line writes a value
 * @param max the largest number in the unit of the plan; {@link #UNBOUNDED} for what is no bounded number
 * @param min the least number in the unit of the plan
 * @param fallback the value in the plan if it is left out, as text; {@code null}: none
 * @param inReplica the value that the command line uses for the processes of a run; {@code null}: the user must give it if
 *     there is no fallback either
 * @param isRequired whether a plan must have it
 * @param meaning one line without a full stop
 */
public record FaultParameter(
        String name,
        ParameterType type,
        long min,
        long max,
        @Nullable String fallback,
        @Nullable String inReplica,
        boolean isRequired,
        String meaning) {
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /** Returns a required text. */
    public static FaultParameter text(String name, String meaning) {
        return of(name, ParameterType.TEXT, 0, UNBOUNDED, meaning);
    }

    /** Returns a required whole number. */
    public static FaultParameter count(String name, long min, long max, String meaning) {
        return of(name, ParameterType.COUNT, min, max, meaning);
    }

    /** Returns a required duration; the bounds are in the unit at the end of the name. */
    public static FaultParameter duration(String name, long min, long max, String meaning) {
        return of(name, ParameterType.DURATION, min, max, meaning);
    }

    /** Returns a required size; the bounds are in the unit at the end of the name. */
    public static FaultParameter size(String name, long min, long max, String meaning) {
        return of(name, ParameterType.SIZE, min, max, meaning);
    }

    /** Returns a required parameter without bounds, or with those that its type has. */
    public static FaultParameter of(String name, ParameterType type, String meaning) {
        return of(name, type, 0, UNBOUNDED, meaning);
    }

    private static FaultParameter of(String name, ParameterType type, long min, long max, String meaning) {
        return new FaultParameter(name, type, min, max, null, null, true, meaning);
    }

    /** Returns this parameter with the value that a plan uses if it is left out. */
    public FaultParameter orElse(String value) {
        return new FaultParameter(name, type, min, max, value, inReplica, false, meaning);
    }

    /** Returns this parameter as one that may be left out and then means nothing. */
    public FaultParameter optional() {
        return new FaultParameter(name, type, min, max, null, inReplica, false, meaning);
    }

    /** Returns this parameter with the value that the command line uses for the processes of a run. */
    public FaultParameter inReplica(String value) {
        return new FaultParameter(name, type, min, max, fallback, value, isRequired, meaning);
    }

    /** Returns the unit of the plan. */
    public PlanUnit unit() {
        boolean hasUnit = type == ParameterType.DURATION || type == ParameterType.SIZE;
        return hasUnit ? PlanUnit.of(name) : PlanUnit.NONE;
    }

    /** Returns the name on the command line: the last part of the path, without the unit, which goes with the value. */
    public String word() {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return last.substring(0, last.length() - unit().suffix().length());
    }

    /** Returns the bounds with the unit, such as {@code 1ms to 10s}; empty if there are none. */
    public String range() {
        return max == UNBOUNDED ? "" : unit().text(min) + " to " + unit().text(max);
    }

    /** Returns the value that is used if the parameter is left out, as the command line would write it; empty: none. */
    public String usual() {
        if (inReplica != null) {
            return inReplica;
        }
        return fallback == null ? "" : text(fallback);
    }

    private String text(String value) {
        return value.matches("[0-9]{1,18}") ? unit().text(Long.parseLong(value)) : value + unit().symbol();
    }

    /**
     * Returns a value as the command line would write it, or close to it.
     *
     * @param value as a plan has it
     */
    public String text(JsonNode value) {
        return value.isValueNode() ? text(value.asText()) : value.toString().replace("\"", "");
    }
}
