package org.naklab.lab.studies.observer;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.sampling.InstrumentCost;

/**
 * The time that each instrument took while all were on. As a line: the elapsed time in nanoseconds, then name, samples and
 * nanoseconds of each instrument, separated by tabs.
 */
record InstrumentCosts(List<InstrumentCost> costs, long elapsedNs) {
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 3;

    static InstrumentCosts parse(String line) {
        String[] fields = line.split(SEPARATOR, -1);
        List<InstrumentCost> costs = Stream.iterate(1, i -> i + FIELDS <= fields.length, i -> i + FIELDS)
                .map(i -> new InstrumentCost(fields[i], Long.parseLong(fields[i + 1]), Long.parseLong(fields[i + 2])))
                .toList();
        return new InstrumentCosts(costs, Long.parseLong(fields[0]));
    }

    /** Returns the sums by name of the instrument, the most expensive first. */
    List<ObserverOverhead.InstrumentShare> shares() {
        return costs.stream()
                .collect(Collectors.toMap(InstrumentCost::instrument, cost -> cost, InstrumentCost::plus))
                .values()
                .stream()
                .sorted(Comparator.comparingLong(InstrumentCost::totalNs).reversed())
                .map(cost -> new ObserverOverhead.InstrumentShare(
                        cost.instrument(),
                        cost.samples() * Units.NS_PER_S / elapsedNs,
                        cost.meanNs() / Units.NS_PER_US,
                        (double) cost.totalNs() / elapsedNs))
                .toList();
    }

    @Override
    public String toString() {
        return Stream.concat(
                        Stream.of(Long.toString(elapsedNs)),
                        costs.stream()
                                .map(cost -> String.join(
                                        SEPARATOR,
                                        cost.instrument(),
                                        Long.toString(cost.samples()),
                                        Long.toString(cost.totalNs()))))
                .collect(Collectors.joining(SEPARATOR));
    }
}
