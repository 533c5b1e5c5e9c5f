package org.naklab.lab.studies.observer;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.DoubleHistogram;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.threads.KernelProgramTimes;

/** Sums up what the observing process takes of a core over the slices in which it runs. */
final class ObserverCost {
    /** Smallest share of a core that is listed. */
    private static final double LEAST_SHARE = 0.000_05;

    private static final int DIGITS = 3;

    static final String SAMPLER = "naklab-sampler";

    private final Map<String, Long> threadNs = new HashMap<>();
    private final DoubleHistogram samplerShares = new DoubleHistogram(DIGITS);
    private long elapsedNs;
    private ObserverOverhead.KernelProgramShare kernelPrograms = new ObserverOverhead.KernelProgramShare(0, 0, 0);

    /** Notes the times of the programs in the kernel over a time, ns. */
    void addKernelPrograms(KernelProgramTimes times, long overNs) {
        kernelPrograms = new ObserverOverhead.KernelProgramShare(
                times.runs() * Units.NS_PER_S / overNs,
                times.runs() == 0 ? 0 : (double) times.ns() / times.runs(),
                (double) times.ns() / overNs);
    }

    ObserverOverhead.KernelProgramShare kernelPrograms() {
        return kernelPrograms;
    }

    /** Adds a slice and the CPU time of the sampler in it, ns. */
    void addSlice(long sliceNs, long tookNs) {
        elapsedNs += sliceNs;
        samplerShares.recordValue((double) tookNs / sliceNs);
    }

    /** Adds the CPU time of the threads in a slice, ns by name. */
    void add(Map<String, Long> tookNs) {
        tookNs.forEach((name, ns) -> threadNs.merge(name, ns, Long::sum));
    }

    /** Returns the median of the slices, 0 to 1 and exact to three digits; 0 if there were none. */
    double samplerShare() {
        return samplerShares.getTotalCount() == 0 ? 0 : samplerShares.getValueAtPercentile(50);
    }

    double samplerMeanShare() {
        return share(threadNs.getOrDefault(SAMPLER, 0L));
    }

    /** Returns the share of one core, 0 to 1, of all threads, including those of the JVM. */
    double processShare() {
        return share(threadNs.values().stream().mapToLong(Long::longValue).sum());
    }

    /** Returns the share of one core by thread, the busiest first. */
    Map<String, Double> threadShares() {
        Map<String, Double> shares = new LinkedHashMap<>();
        threadNs.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .filter(thread -> share(thread.getValue()) >= LEAST_SHARE)
                .forEach(thread -> shares.put(thread.getKey(), share(thread.getValue())));
        return shares;
    }

    private double share(long ns) {
        return elapsedNs == 0 ? 0 : (double) ns / elapsedNs;
    }
}
