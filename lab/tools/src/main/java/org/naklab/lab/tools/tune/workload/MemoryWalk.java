package org.naklab.lab.tools.tune.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads words at random places of a large array, each place known only after the read before it. With small pages, nearly every read needs an address translation that the processor does not
 * have at hand. It is the most that larger pages can give a program.
 */
public final class MemoryWalk {
    /** The length of the array: 512 MiB. */
    private static final int WORDS = 1 << 26;

    private static final int WARM_UPS = 2;
    private static final int BATCH = 4096;
    private static final long ROUND_NS = 100_000_000;

    /** A linear congruential generator with these visits each place once before it begins again. */
    private static final int MULTIPLIER = 1_664_525;

    private static final int INCREMENT = 1_013_904_223;
    private static final double BYTES_PER_MIB = 1 << 20;

    private final long[] memory = new long[WORDS];
    private int place;

    /** Returns the time of a read in each round, ns. */
    public WorkloadResult run(int rounds) {
        List<Double> values = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            double readNs = readNs();
            if (round >= 0) {
                values.add(readNs);
            }
        }
        String size = Math.round(WORDS * (double) Long.BYTES / BYTES_PER_MIB) + " MiB of the heap";
        return new WorkloadResult(values, List.of(), List.of("reads at random places of " + size));
    }

    private double readNs() {
        long reads = 0;
        long beginNs = System.nanoTime();
        long endNs = beginNs;
        while (endNs - beginNs < ROUND_NS) {
            for (int i = 0; i < BATCH; i++) {
                // All words are 0, but the processor has to read one to know where the next one is.
                place = (int) (place * MULTIPLIER + INCREMENT + memory[place]) & (WORDS - 1);
            }
            reads += BATCH;
            endNs = System.nanoTime();
        }
        return (endNs - beginNs) / (double) reads;
    }
}
