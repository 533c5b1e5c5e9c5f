package org.naklab.lab.tools.jitter.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.naklab.faults.description.Spelling;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Arms that belong together. */
enum Experiment {
    /**
     * Periodic safepoints: as the JDK has them, and each five minutes, as the original team set it. A JVM makes one only if something is to be cleaned up, so that two
     * further arms ask for it in any case ({@code SafepointALot}): each second, and each five minutes. Each arm of five minutes is compared with the arm that differs from
     * it in the interval alone.
     */
    GUARANTEED_SAFEPOINT(0, 0),
    /**
     * The time until a thread in a long counted loop reaches a safepoint: with a poll in the loop, and without. Only the optimising compiler leaves it out.
     */
    TIME_TO_SAFEPOINT(0, 2_000_000),
    /** Collector threads: as many as a machine of 32 CPUs would have, and two. */
    GC_THREADS(400, 0);

    private static final String DEFAULT = "default";
    private static final String EACH_SECOND = "each-1s";
    private static final String UNLOCK = "-XX:+UnlockDiagnosticVMOptions";

    private final int garbageMbPerS;
    private final long loopNs;

    Experiment(int garbageMbPerS, long loopNs) {
        this.garbageMbPerS = garbageMbPerS;
        this.loopNs = loopNs;
    }

    List<Arm> arms() {
        return switch (this) {
            case GUARANTEED_SAFEPOINT ->
                List.of(
                        new Arm(DEFAULT, List.of(UNLOCK), DEFAULT),
                        new Arm("default-300s", List.of(UNLOCK, interval(300_000)), DEFAULT),
                        new Arm(EACH_SECOND, asked(1_000), EACH_SECOND),
                        new Arm("each-300s", asked(300_000), EACH_SECOND));
            case TIME_TO_SAFEPOINT -> List.of(new Arm("polls", polls('+')), new Arm("no-polls", polls('-')));
            case GC_THREADS -> List.of(new Arm("two", collectors(2)), new Arm("thirty-two", collectors(32)));
        };
    }

    private static String interval(int intervalMs) {
        return "-XX:GuaranteedSafepointInterval=" + intervalMs;
    }

    private static List<String> asked(int intervalMs) {
        return List.of(UNLOCK, "-XX:+SafepointALot", interval(intervalMs));
    }

    private static List<String> polls(char sign) {
        return List.of("-XX:TieredStopAtLevel=4", "-XX:" + sign + "UseCountedLoopSafepoints");
    }

    private static List<String> collectors(int threads) {
        return List.of(
                "-XX:-UseSerialGC",
                "-XX:+UseParallelGC",
                "-XX:-UseDynamicNumberOfGCThreads",
                "-Xmx256m",
                "-Xmn64m",
                "-XX:ParallelGCThreads=" + threads);
    }

    /** Returns what is allocated beside the meter, MB a second. */
    int garbageMbPerS() {
        return garbageMbPerS;
    }

    /** Returns the length of the loops that run beside the meter while a safepoint is asked for, ns; 0: none. */
    long loopNs() {
        return loopNs;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Converts the label. */
    static final class Converter implements ITypeConverter<Experiment> {
        @Override
        public Experiment convert(String text) {
            return Arrays.stream(values())
                    .filter(each -> each.label().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of the experiments"
                            + Spelling.hint(
                                    text,
                                    Stream.of(values()).map(Experiment::label).toList())));
        }
    }
}
