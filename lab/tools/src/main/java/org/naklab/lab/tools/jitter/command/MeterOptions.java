package org.naklab.lab.tools.jitter.command;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.tools.jitter.Injection;
import org.naklab.lab.tools.jitter.MeterSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a measurement. */
final class MeterOptions {
    /** The threads of the meter, and the rest of the JVM, have a CPU each. */
    private static final int CPUS_TO_SPIN = 3;

    private static final long THRESHOLD_NS = 50_000;
    private static final long PACE_NS = 20_000;
    private static final long NARROW_PACE_NS = 1_000_000;
    private static final long LEAST_PACE_NS = 1_000;
    private static final int MESSAGES_PER_PAUSE = 4;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Converters.Duration.class,
            description = "How long it is measured, after the warm-up (default: ${DEFAULT-VALUE}).")
    private long durationNs;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = Converters.Duration.class,
            description = "Left out at the beginning (default: ${DEFAULT-VALUE}).")
    private long warmUpNs;

    @Option(
            names = "--pace",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = {
                "From one message to the next, 1us to 1s (default: 20us, or 1ms if there are",
                "only two CPUs; with --inject, a quarter of the pause, and 20us at most).",
                "A pause is found if a message is due in it. Above 300us the threads sleep in",
                "between, so that others can have their CPUs."
            })
    private long paceNs;

    @Option(
            names = "--threshold",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = {
                "Later messages are outliers (default: 50us, or half of a pause that is",
                "injected: a message is due somewhere in it)."
            })
    private long thresholdNs;

    @Option(
            names = "--pin",
            paramLabel = "A,B",
            converter = CpuPair.class,
            description = "CPUs of the sending and the receiving thread, such as 2,3 (default: any).")
    private Cpus cpus = Cpus.ANY;

    @Option(
            names = "--inject",
            paramLabel = "KIND:TIME",
            converter = Injections.class,
            description = {
                "Stop the meter every 23 ms for so long, to see that this is found: safepoint,",
                "preemption (needs --pin and root) or stop (SIGSTOP). Example: stop:100us."
            })
    private Injection injection = Injection.NONE;

    @Option(
            names = "--garbage",
            paramLabel = "MB",
            defaultValue = "0",
            converter = Converters.CountOrNone.class,
            description = "What another thread allocates, in MB a second (default: ${DEFAULT-VALUE}).")
    private int garbage;

    /** The CPUs of both threads; -1: any. */
    record Cpus(int producer, int consumer) {
        static final Cpus ANY = new Cpus(-1, -1);
    }

    /** Converts {@code 2,3}. */
    static final class CpuPair implements ITypeConverter<Cpus> {
        private static final Pattern PAIR = Pattern.compile("(\\d{1,4}),(\\d{1,4})");

        @Override
        public Cpus convert(String text) {
            Matcher pair = PAIR.matcher(text);
            if (!pair.matches() || pair.group(1).equals(pair.group(2))) {
                throw new TypeConversionException("'" + text + "' is not two different CPUs, such as 2,3");
            }
            Cpus cpus = new Cpus(Integer.parseInt(pair.group(1)), Integer.parseInt(pair.group(2)));
            List<Integer> allowed = ThreadAffinity.allowed();
            if (!allowed.containsAll(List.of(cpus.producer, cpus.consumer))) {
                throw new TypeConversionException("must be two of the CPUs " + allowed + ", not " + text);
            }
            return cpus;
        }
    }

    /** Converts {@code stop:100us}. */
    static final class Injections implements ITypeConverter<Injection> {
        private static final long MOST_NS = 20_000_000;

        @Override
        public Injection convert(String text) {
            String[] words = text.split(":", 2);
            Injection.Kind kind = Injection.Kind.of(words[0])
                    .orElseThrow(() ->
                            new TypeConversionException("'" + words[0] + "' is none of safepoint, preemption, stop"));
            long lengthNs = words.length == 2 ? new Converters.Duration().convert(words[1]) : 0;
            if (lengthNs < 1_000 || lengthNs > MOST_NS) {
                throw new TypeConversionException("'" + text + "' has no length from 1us to 20ms, such as stop:100us");
            }
            return new Injection(kind, lengthNs);
        }
    }

    /** With pauses that are injected, a message must be due early in each of them, or the meter cannot find them. */
    private long paceNs(boolean isNarrow) {
        if (paceNs > 0) {
            return paceNs;
        }
        if (injection.kind() != Injection.Kind.NONE) {
            return Math.max(LEAST_PACE_NS, Math.min(PACE_NS, injection.lengthNs() / MESSAGES_PER_PAUSE));
        }
        return isNarrow ? NARROW_PACE_NS : PACE_NS;
    }

    private long thresholdNs() {
        return thresholdNs > 0
                ? thresholdNs
                : injection.kind() == Injection.Kind.NONE ? THRESHOLD_NS : injection.lengthNs() / 2;
    }

    Injection injection() {
        return injection;
    }

    /**
     * Returns the settings.
     *
     * @param garbageBesides what the experiment allocates, MB a second
     * @param loopNs length of the loops of the experiment, ns; 0: none
     * @throws UsageException if the options contradict each other
     */
    MeterSettings settings(int garbageBesides, long loopNs) {
        boolean isNarrow = Runtime.getRuntime().availableProcessors() < CPUS_TO_SPIN;
        long everyNs = paceNs(isNarrow);
        if (everyNs < LEAST_PACE_NS || everyNs > 1_000_000_000L) {
            throw new UsageException("--pace must be from 1us to 1s");
        }
        if (durationNs < everyNs) {
            throw new UsageException("--duration must not be shorter than --pace");
        }
        if (injection.kind() == Injection.Kind.PREEMPTION && cpus.consumer() < 0) {
            throw new UsageException("--inject preemption needs --pin: it takes the CPU of the receiving thread");
        }
        return new MeterSettings(
                new MeterSettings.Times(warmUpNs, durationNs, everyNs, thresholdNs()),
                new MeterSettings.Threads(cpus.producer(), cpus.consumer(), isNarrow),
                new MeterSettings.Load(
                        Math.max(garbage, garbageBesides),
                        loopNs,
                        injection.kind() == Injection.Kind.SAFEPOINT ? injection : Injection.NONE));
    }
}
