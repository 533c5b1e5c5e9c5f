package org.naklab.faults.notation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.naklab.faults.FaultException;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;

/** Turns the words of the command line into the values of a plan. */
final class Values {
    /** In nanoseconds; a unit that ends with another one comes before it. */
    private static final Map<String, Long> DURATIONS = new LinkedHashMap<>();

    /** In bytes; a unit that ends with another one comes before it. */
    private static final Map<String, Long> SIZES = new LinkedHashMap<>();

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    static {
        DURATIONS.put("ns", 1L);
        DURATIONS.put("us", 1_000L);
        DURATIONS.put("ms", 1_000_000L);
        DURATIONS.put("s", 1_000_000_000L);
        DURATIONS.put("m", 60_000_000_000L);
        DURATIONS.put("h", 3_600_000_000_000L);
        SIZES.put("KiB", 1L << 10);
        SIZES.put("MiB", 1L << 20);
        SIZES.put("GiB", 1L << 30);
        SIZES.put("B", 1L);
    }

    private Values() {}

    /** Returns a duration in milliseconds. */
    static long milliseconds(String name, String text) {
        return scaled(name, text, DURATIONS, 1_000_000, "ms", "150ms or 2s");
    }

    /**
     * Returns the value of a parameter as a plan has it.
     *
     * @param name as the user wrote it: a name that ends with the unit of the plan takes a number without one
     */
    static JsonNode of(FaultParameter parameter, String name, String text) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        boolean hasUnit = !parameter.word().equals(name.substring(name.lastIndexOf('.') + 1));
        return switch (parameter.type()) {
            case TEXT -> json.textNode(text);
            case COUNT -> json.numberNode(whole(name, text));
            case SWITCH -> json.booleanNode(isOn(name, text));
            case PROBABILITY -> json.numberNode(probability(name, text));
            case PERCENT -> json.numberNode(decimal(name, withoutPercent(text), text));
            case DURATION, SIZE ->
                json.numberNode(hasUnit && text.matches("[0-9]+") ? whole(name, text) : inPlan(parameter, name, text));
            case WORDS -> words(text);
            case GAPS -> gaps(name, text);
        };
    }

    private static long inPlan(FaultParameter parameter, String name, String text) {
        boolean isTime = parameter.type() == ParameterType.DURATION;
        return scaled(
                name,
                text,
                isTime ? DURATIONS : SIZES,
                parameter.unit().scale(),
                parameter.unit().symbol(),
                isTime ? "150ms or 2s" : "64MiB or 1GiB");
    }

    private static long scaled(
            String name, String text, Map<String, Long> units, long scale, String symbol, String usual) {
        String unit = units.keySet().stream()
                .filter(text::endsWith)
                .findFirst()
                .orElseThrow(() -> new FaultException(name + ": '" + text + "' has no unit; write " + usual));
        BigDecimal amount = decimal(name, text.substring(0, text.length() - unit.length()), text)
                .multiply(BigDecimal.valueOf(units.getOrDefault(unit, 1L)));
        try {
            return amount.divide(BigDecimal.valueOf(scale), 0, RoundingMode.UNNECESSARY)
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new FaultException(name + ": '" + text + "' is not a whole number of " + symbol, e);
        }
    }

    private static long whole(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new FaultException(name + ": '" + text + "' is not a whole number", e);
        }
    }

    private static boolean isOn(String name, String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new FaultException(name + ": '" + text + "' is neither true nor false");
        }
        return text.equals("true");
    }

    private static BigDecimal probability(String name, String text) {
        return text.endsWith("%")
                ? decimal(name, withoutPercent(text), text).divide(HUNDRED)
                : decimal(name, text, text);
    }

    private static String withoutPercent(String text) {
        return text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
    }

    private static BigDecimal decimal(String name, String digits, String text) {
        if (!digits.matches("[0-9]{1,18}([.][0-9]{1,18})?")) {
            throw new FaultException(name + ": '" + text + "' is not a number");
        }
        return new BigDecimal(digits);
    }

    private static ArrayNode words(String text) {
        ArrayNode words = JsonNodeFactory.instance.arrayNode();
        for (String word : text.split("/", -1)) {
            words.add(word);
        }
        return words;
    }

    private static ArrayNode gaps(String name, String text) {
        ArrayNode gaps = JsonNodeFactory.instance.arrayNode();
        for (String gap : text.split("/", -1)) {
            String[] both = gap.split("\\+", -1);
            if (both.length != 2) {
                throw new FaultException(name + ": '" + gap + "' is not FIRST+COUNT, such as 500+50");
            }
            gaps.addObject().put("first", whole(name, both[0])).put("count", whole(name, both[1]));
        }
        return gaps;
    }
}
