package org.naklab.lab.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.detect.InstrumentCost;

/** Sums up what observing takes over several runs. */
final class ObserverCost {
    /** Of a core; threads that take less are not listed. */
    private static final double LEAST_SHARE = 0.000_05;

    private static final String REST = "(compiler, collector, ended)";

    private final Map<String, InstrumentCost> instruments = new LinkedHashMap<>();
    private final Map<String, Long> threadNs = new HashMap<>();
    private final List<Double> samplerTenths = new ArrayList<>();
    private long elapsedNs;
    private long instrumentsNs;
    private long processNs;

    /** What a run took until now. */
    void add(ProcessorTime time) {
        elapsedNs += time.elapsedNs();
        processNs += time.processNs();
        time.threadNs().forEach((name, ns) -> threadNs.merge(name, ns, Long::sum));
    }

    /** The sampler's shares of a core in a run, tenth of a second by tenth. */
    void addSampler(List<Double> tenths) {
        samplerTenths.addAll(tenths);
    }

    /** Median of all tenths of a second, 0 to 1. */
    double samplerShare() {
        return MedianInterval.of(samplerTenths).median();
    }

    /** @param ns for how long the instruments were on */
    void add(List<InstrumentCost> costs, long ns) {
        instrumentsNs += ns;
        costs.forEach(cost -> instruments.merge(cost.instrument(), cost, InstrumentCost::plus));
    }

    /** Of one core, 0 to 1; the whole process, compiler and collector included. */
    double processShare() {
        return share(processNs);
    }

    /** Of one core, by thread, the busiest first; at the end what is of no Java thread that still runs. */
    Map<String, Double> threadShares() {
        Map<String, Double> shares = new LinkedHashMap<>();
        threadNs.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .filter(thread -> share(thread.getValue()) >= LEAST_SHARE)
                .forEach(thread -> shares.put(thread.getKey(), share(thread.getValue())));
        long listedNs = threadNs.values().stream().mapToLong(Long::longValue).sum();
        shares.put(REST, share(Math.max(0, processNs - listedNs)));
        return shares;
    }

    /** The dearest first. */
    List<ObserverLoss.InstrumentShare> instrumentShares() {
        return instruments.values().stream()
                .sorted(Comparator.comparingLong(InstrumentCost::totalNs).reversed())
                .map(cost -> new ObserverLoss.InstrumentShare(
                        cost.instrument(),
                        cost.samples() * 1e9 / instrumentsNs,
                        cost.meanNs() / 1e3,
                        (double) cost.totalNs() / instrumentsNs))
                .toList();
    }

    private double share(long ns) {
        return elapsedNs == 0 ? 0 : (double) ns / elapsedNs;
    }
}
