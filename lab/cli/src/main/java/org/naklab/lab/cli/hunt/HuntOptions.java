package org.naklab.lab.cli.hunt;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a hunt: {@code --until} and what bounds it. */
public final class HuntOptions {
    private static final long DEFAULT_MAX_NS = TimeUnit.HOURS.toNanos(12);
    private static final long DEFAULT_KEPT_BYTES = 5_000_000_000L;

    @Option(
            names = "--until",
            paramLabel = "C",
            converter = HuntCondition.Converter.class,
            description =
                    "Hunt: repeat the run with consecutive seeds until one has a NAK (nak), fails (fail) or has a "
                            + "long stall ('stall>100ms').")
    private @Nullable HuntCondition until;

    @Option(
            names = "--max",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description = "With --until: begin no run after this time, such as 30m or 12h (default: 12h).")
    private @Nullable Long maxNs;

    @Option(
            names = "--windows",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "With --until: end after N hits, and keep the run of each (default: 1).")
    private @Nullable Integer windows;

    @Option(
            names = "--keep-disk",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "With --until: the space for all that is kept, such as 500MB or 5GB (default: 5GB).")
    private @Nullable Long keptBytes;

    @Option(
            names = "--exec",
            paramLabel = "COMMAND",
            description = "With --until: run a command in a shell after each hit.")
    private @Nullable String command;

    /** The bounds of a hunt. */
    record Limits(long maxNs, int windows, long keptBytes) {}

    /** Returns whether a hunt is wanted. */
    public boolean isGiven() {
        return until != null;
    }

    /**
     * Checks the combination of options.
     *
     * @param other an option that does not go with a hunt and was given; empty if there is none
     * @throws UsageException if the options do not belong together
     */
    public void check(Optional<String> other) {
        if (until == null && (maxNs != null || windows != null || keptBytes != null || command != null)) {
            throw new UsageException("--max, --windows, --keep-disk and --exec need --until");
        }
        if (until != null && other.isPresent()) {
            throw new UsageException("--until cannot be combined with " + other.get());
        }
    }

    HuntCondition condition() {
        if (until == null) {
            throw new IllegalStateException("no hunt");
        }
        return until;
    }

    Limits limits() {
        return new Limits(
                maxNs == null ? DEFAULT_MAX_NS : maxNs,
                windows == null ? 1 : windows,
                keptBytes == null ? DEFAULT_KEPT_BYTES : keptBytes);
    }

    Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /** A size with a unit; converts to bytes. */
    public static final class SizeConverter implements ITypeConverter<Long> {
        private static final Map<String, Double> UNITS = new LinkedHashMap<>();
        private static final double LEAST = 1e6;
        private static final double MOST = 1e15;

        static {
            UNITS.put("KiB", 1024.0);
            UNITS.put("MiB", 1024.0 * 1024);
            UNITS.put("GiB", 1024.0 * 1024 * 1024);
            UNITS.put("KB", 1e3);
            UNITS.put("MB", 1e6);
            UNITS.put("GB", 1e9);
            UNITS.put("TB", 1e12);
        }

        @Override
        public Long convert(String text) {
            String unit = UNITS.keySet().stream()
                    .filter(text::endsWith)
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' has no unit: 500MB or 5GB"));
            double bytes = number(text.substring(0, text.length() - unit.length())) * UNITS.getOrDefault(unit, 1.0);
            if (!(bytes >= LEAST && bytes <= MOST)) {
                throw new TypeConversionException("must be from 1MB to 1000TB, not " + text);
            }
            return Math.round(bytes);
        }

        private static double number(String text) {
            try {
                return new BigDecimal(text.strip()).doubleValue();
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is not a number");
            }
        }
    }
}
