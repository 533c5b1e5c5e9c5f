package org.naklab.lab.diagnosis;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/** Measures the CPU time of a diagnosis with all stalls, of files that are each twice as long as the one before. */
final class DiagnosisBenchmark {
    private static final int[] SIZES = {25_000, 50_000, 100_000};
    private static final int WARM_UPS = 3;
    private static final int ROUNDS = 9;

    private DiagnosisBenchmark() {}

    public static void main(String[] args) {
        PrintStream out = System.out;
        out.printf(Locale.ROOT, "first diagnosis of the JVM, 100,000 events: %.0f ms of CPU%n", millis(100_000));
        for (int round = 0; round < WARM_UPS; round++) {
            Arrays.stream(SIZES).forEach(DiagnosisBenchmark::millis);
        }
        double smallest = 0;
        for (int size : SIZES) {
            double[] times = new double[ROUNDS];
            Arrays.setAll(times, round -> millis(size));
            Arrays.sort(times);
            double median = times[ROUNDS / 2];
            smallest = smallest == 0 ? median : smallest;
            out.printf(
                    Locale.ROOT,
                    "%,d events, %,d stalls: median %.0f ms of CPU (%.0f to %.0f), %.1f times the smallest%n",
                    size,
                    size / 20,
                    median,
                    times[0],
                    times[ROUNDS - 1],
                    median / smallest);
        }
    }

    /** Includes the time to index the events, which the case file does when it is made. */
    private static double millis(int events) {
        CaseFile file = SyntheticCase.longRun(1, events);
        long beginNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        CaseFile made = new CaseFile(
                file.suspect(),
                file.feedPort(),
                file.counted(),
                file.events().stream().toList(),
                file.receivers(),
                file.maxima(),
                file.problems());
        Examination examination = Examination.of(made);
        long endNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        if (examination.stalls().size() < events / 25) {
            throw new IllegalStateException(examination.stalls().size() + " stalls");
        }
        return (endNs - beginNs) / 1e6;
    }
}
