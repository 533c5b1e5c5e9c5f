package org.naklab.lab.core;

import java.util.Locale;

/** Formats figures for all outputs: thousands with commas, independent of the machine's locale. */
public final class Format {
    private Format() {}

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /**
     * Returns a number with what it counts, such as "1 stall" or "1,200 drops".
     *
     * @param noun of one; its plural ends with s
     */
    public static String counted(long value, String noun) {
        return counted(value, noun, noun + "s");
    }

    /** Returns a number with what it counts, for a noun whose plural does not simply end with s. */
    public static String counted(long value, String noun, String plural) {
        return count(value) + " " + (value == 1 ? noun : plural);
    }

    /** Formats bytes in the binary unit that leaves few digits; rounded down. */
    public static String bytes(long value) {
        if (value < 10L << 10) {
            return count(value) + " B";
        }
        if (value < 1L << 20) {
            return count(value >> 10) + " KiB";
        }
        return value < 10L << 30 ? count(value >> 20) + " MiB" : count(value >> 30) + " GiB";
    }

    public static String seconds(long durationNs) {
        return String.format(Locale.ROOT, "%.1f s", durationNs / Units.NS_PER_S);
    }

    /** Formats a signed difference: its size and its side. */
    public static String distance(long distanceNs) {
        return String.format(
                Locale.ROOT, "%.3f ms %s", Math.abs(distanceNs) / Units.NS_PER_MS, distanceNs < 0 ? "before" : "after");
    }

    public static String milliseconds(double durationMs) {
        return String.format(Locale.ROOT, "%.1f ms", durationMs);
    }
}
