package org.naklab.faults.description;

/** The unit in which a plan states a number: the end of the parameter's name. */
public enum PlanUnit {
    NANOSECONDS("Ns", "ns", 1),
    MICROSECONDS("Us", "us", 1_000),
    MILLISECONDS("Ms", "ms", 1_000_000),
    MEBIBYTES("Mib", "MiB", 1 << 20),
    BYTES("Bytes", "B", 1),
    NONE("", "", 1);

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

    /** Returns how many nanoseconds or bytes one unit is. */
    public long scale() {
        return scale;
    }
}
