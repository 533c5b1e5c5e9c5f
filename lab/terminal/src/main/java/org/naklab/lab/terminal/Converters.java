package org.naklab.lab.terminal;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.naklab.lab.core.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers on the command line; what is out of range is refused with what would be right. */
public final class Converters {
    /** Units of durations, ns; a unit that ends with another one comes before it. */
    private static final Map<String, Double> UNITS_NS = new LinkedHashMap<>();

    static {
        UNITS_NS.put("ns", 1.0);
        UNITS_NS.put("us", 1e3);
        UNITS_NS.put("ms", 1e6);
        UNITS_NS.put("s", 1e9);
        UNITS_NS.put("m", 60e9);
        UNITS_NS.put("h", 3600e9);
    }

    private Converters() {}

    /** A whole number of at least 1. */
    public static final class Positive implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return whole(text, 1, Long.MAX_VALUE);
        }
    }

    /** Messages a second; {@code max} is 0, for as fast as possible. */
    public static final class Rate implements ITypeConverter<Long> {
        private static final long MAX_PER_SECOND = 100_000_000;

        @Override
        public Long convert(String text) {
            return text.equals("max") ? 0L : whole(text, 1, MAX_PER_SECOND);
        }
    }

    public static final class Port implements ITypeConverter<Integer> {
        private static final int FIRST_UNPRIVILEGED = 1024;
        private static final int LAST_WITH_A_NEXT = 65_534;

        @Override
        public Integer convert(String text) {
            return Math.toIntExact(whole(text, FIRST_UNPRIVILEGED, LAST_WITH_A_NEXT));
        }
    }

    /** At least 1, at most what an int holds comfortably. */
    public static final class Count implements ITypeConverter<Integer> {
        private static final long MAX = 1_000_000;

        @Override
        public Integer convert(String text) {
            return Math.toIntExact(whole(text, 1, MAX));
        }
    }

    /** A number of repetitions that may be 0. */
    public static final class CountOrNone implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return Math.toIntExact(whole(text, 0, Count.MAX));
        }
    }

    /** Bytes of a datagram or a buffer: from 32, an empty frame, to 1 GiB. */
    public static final class Bytes implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return Math.toIntExact(whole(text, 32, 1 << 30));
        }
    }

    /** A round's events: enough to measure, few enough to hold in memory. */
    public static final class Events implements ITypeConverter<Integer> {
        private static final long LEAST = 10_000;
        private static final long MOST = 20_000_000;

        @Override
        public Integer convert(String text) {
            return Math.toIntExact(whole(text, LEAST, MOST));
        }
    }

    /** A regular expression. */
    public static final class Regex implements ITypeConverter<Pattern> {
        @Override
        public Pattern convert(String text) {
            try {
                return Pattern.compile(text);
            } catch (PatternSyntaxException e) {
                throw new TypeConversionException("'" + text + "' is not a regular expression: " + e.getDescription()
                        + (e.getIndex() < 0 ? "" : " at character " + (e.getIndex() + 1)));
            }
        }
    }

    /** The id of a process. */
    public static final class ProcessId implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (text.matches(".*[^0-9].*")) {
                throw new TypeConversionException(
                        "'" + text + "' is not a whole number; --name " + text + " takes processes by their name");
            }
            return whole(text, 1, Long.MAX_VALUE);
        }
    }

    /** A decimal number above 0; neither NaN nor infinite. */
    public static final class PositiveDecimal implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text);
        }
    }

    /** A probability from 0 to 1: a decimal number, or one in percent. */
    public static final class Probability implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            boolean isPercent = text.endsWith("%");
            String number = isPercent ? text.substring(0, text.length() - 1) : text;
            double value = number.equals("0") ? 0 : decimal(number) / (isPercent ? 100 : 1);
            if (value > 1) {
                throw new TypeConversionException("must be from 0 to 1, or in percent, not " + text);
            }
            return value;
        }
    }

    /** A duration: a number with the unit ns, us, ms, s, m or h, or without one in seconds; converts to nanoseconds. */
    public static final class Duration implements ITypeConverter<Long> {
        private static final double MAX_NS = 30.0 * 24 * 3600 * Units.NS_PER_S;

        @Override
        public Long convert(String text) {
            double ns = unitOf(text).isEmpty() ? decimal(text) * Units.NS_PER_S : nanoseconds(text);
            if (ns > MAX_NS) {
                throw new TypeConversionException("'" + text + "' is more than thirty days");
            }
            if (ns < 1) {
                throw new TypeConversionException("'" + text + "' is less than a nanosecond");
            }
            return Math.round(ns);
        }
    }

    /** Length of a stall: a number with a unit, as of {@link Duration}; converts to nanoseconds. */
    public static final class Stall implements ITypeConverter<Long> {
        private static final double LEAST_NS = 30e6;
        private static final double MOST_NS = 2e9;

        @Override
        public Long convert(String text) {
            if (unitOf(text).isEmpty()) {
                throw new TypeConversionException("'" + text + "' has no unit: 150ms or 0.15s");
            }
            double ns = nanoseconds(text);
            if (ns < LEAST_NS || ns > MOST_NS) {
                throw new TypeConversionException("must be from 30ms to 2s, not " + text);
            }
            return Math.round(ns / Units.NS_PER_MS) * Units.MS_NS;
        }
    }

    /** Returns the unit of a duration; empty if it has none. */
    private static String unitOf(String text) {
        return UNITS_NS.keySet().stream().filter(text::endsWith).findFirst().orElse("");
    }

    private static double nanoseconds(String text) {
        String unit = unitOf(text);
        return decimal(text.substring(0, text.length() - unit.length())) * UNITS_NS.getOrDefault(unit, 1.0);
    }

    private static long whole(String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
        String range = most == Long.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
        throw new TypeConversionException("must be " + range + ", not " + text);
    }

    private static double decimal(String text) {
        double value;
        try {
            value = new BigDecimal(text).doubleValue();
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
        if (value <= 0 || Double.isInfinite(value)) {
            throw new TypeConversionException("must be above 0, not " + text);
        }
        return value;
    }
}
