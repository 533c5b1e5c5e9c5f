package org.naklab.lab.core;

/**
 * Holds the factors between units of time; no other class has one of its own. Those that say {@code PER} divide and multiply figures with fractions; the others are
 * whole lengths. A length that is not one unit is said by {@link java.util.concurrent.TimeUnit}.
 */
public final class Units {
    public static final double NS_PER_US = 1e3;
    public static final double NS_PER_MS = 1e6;
    public static final double NS_PER_S = 1e9;
    public static final double US_PER_MS = 1e3;
    public static final double US_PER_S = 1e6;
    public static final double MS_PER_S = 1e3;
    /** A microsecond, ns. */
    public static final long US_NS = 1_000;
    /** A millisecond, ns. */
    public static final long MS_NS = 1_000_000;
    /** A millisecond, µs. */
    public static final long MS_US = 1_000;
    /** A second, ns. */
    public static final long SECOND_NS = 1_000_000_000;

    private Units() {}
}
