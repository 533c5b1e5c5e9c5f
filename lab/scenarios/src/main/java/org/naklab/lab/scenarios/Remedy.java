package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A remedy against the stall of a scenario, by the word of the command line and of the record. Each scenario has its own:
 * {@link Scenario#remedies()}. The constants are those that several classes refer to; a remedy needs none here.
 *
 * @param label lower case, with hyphens
 */
public record Remedy(String label) {
    public static final Remedy NONE = new Remedy("none");
    /** {@code LD_BIND_NOW=1}: every symbol is bound when its library is loaded. */
    public static final Remedy BIND_NOW = new Remedy("bind-now");
    /** Pages are touched and locked in memory beforehand. */
    public static final Remedy PRE_TOUCH = new Remedy("pre-touch");
    /** The service paces itself, so that the transport's limiter never trips. */
    public static final Remedy APPLICATION_RATE_LIMIT = new Remedy("application-rate-limit");
    /** The context thread does not yield when a wake-up fails. */
    public static final Remedy NO_YIELD = new Remedy("no-yield");

    public static final Remedy OWN_CONTEXT = new Remedy("own-context");
    /** The journal keeps out of the page cache. */
    public static final Remedy POLITE_JOURNAL = new Remedy("polite-journal");
    /** A receive buffer that holds what arrives during the stall: hides the symptom. */
    public static final Remedy BIGGER_BUFFER = new Remedy("bigger-buffer");
    /** The lock is taken in the one branch that needs it. */
    public static final Remedy NARROW_LOCK = new Remedy("narrow-lock");
    /** The receipt thread has a CPU of its own. */
    public static final Remedy ISOLATE = new Remedy("isolate");

    /** Returns the prices of a scenario with one remedy. */
    public static Map<Remedy, String> withNone(Remedy remedy, String price) {
        Map<Remedy, String> prices = new LinkedHashMap<>();
        prices.put(NONE, "nothing");
        prices.put(remedy, price);
        return prices;
    }

    @Override
    @JsonValue
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }
}
