package org.naklab.faults.description;

import java.util.LinkedHashMap;
import java.util.Map;

/** The unit in which a plan states a number: the end of the parameter's name. */
public enum PlanUnit {
    NANOSECONDS("Ns", "ns", 1),
    MICROSECONDS("Us", "us", 1_000),
    MILLISECONDS("Ms", "ms", 1_000_000),
    MEBIBYTES("Mib", "MiB", 1 << 20),
    BYTES("Bytes", "B", 1),
    NONE("", "", 1);

    /** In nanoseconds, the largest first. */
    private static final Map<String, Long> TIMES = new LinkedHashMap<>();
    /** In bytes, the largest first. */
    private static final Map<String, Long> SIZES = new LinkedHashMap<>();

    static {
        TIMES.put("h", 3_600_000_000_000L);
        TIMES.put("m", 60_000_000_000L);
        TIMES.put("s", 1_000_000_000L);
        TIMES.put("ms", 1_000_000L);
        TIMES.put("us", 1_000L);
        SIZES.put("GiB", 1L << 30);
        SIZES.put("MiB", 1L << 20);
        SIZES.put("KiB", 1L << 10);
    }

    private final String suffix;
    private final String symbol;
    private final long scale;

    PlanUnit(String suffix, String symbol, long scale) {
        this.suffix = suffix;
        this.symbol = symbol;
        this.scale = scale;
    }

    static PlanUnit of(String name) {
        for (PlanUnit unit : values()) {
            if (name.endsWith(unit.suffix)) {
                return unit;
            }
        }
        return NONE;
    }

    /** Returns the end of a parameter's name that stands for the unit, such as {@code Ms}. */
    String suffix() {
        return suffix;
    }

    /** Returns the unit as users write it, such as {@code ms}. */
    public String symbol() {
        return symbol;
    }

    /** Returns an amount as users write it: in the largest unit in which it is a whole number. */
    public String text(long amount) {
        Map<String, Long> larger =
                switch (this) {
                    case NANOSECONDS, MICROSECONDS, MILLISECONDS -> TIMES;
                    case MEBIBYTES, BYTES -> SIZES;
                    case NONE -> Map.of();
                };
        for (Map.Entry<String, Long> unit : larger.entrySet()) {
            if (amount != 0 && unit.getValue() > scale && amount % (unit.getValue() / scale) == 0) {
                return amount / (unit.getValue() / scale) + unit.getKey();
            }
        }
        return amount + symbol;
    }

    /** Returns how many nanoseconds or bytes one unit is. */
    public long scale() {
        return scale;
    }
}
