package org.naklab.lab.studies.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Units;
import org.naklab.lab.studies.detection.SampleCost;
import org.naklab.lab.studies.detection.SamplerOverhead;
import org.naklab.lab.studies.observer.ObserverOverhead;

/**
 * The limits of the overhead of the instruments.
 *
 * @param figure as measured
 * @param limit that the figure must stay below
 * @param note beside the figure; empty: none
 */
record ObserverBudget(String what, double figure, double limit, String unit, String note) {
    private static final double LOSS_PERCENT = 2;
    private static final double ADDED_PERCENT = 1;
    private static final double DETECTION_MS = 10;
    private static final String ANGLER = "angler";

    /**
     * Every one; without angler on this machine there is nothing to be measured by it.
     *
     * @param sampler on an idle process
     */
    static List<ObserverBudget> all(
            ObserverOverhead.Figures pipeline,
            SamplerOverhead sampler,
            List<Long> latenciesNs,
            List<SampleCost> costs) {
        List<ObserverBudget> limits = new ArrayList<>();
        limits.add(without("loss of rate", 100 * pipeline.cost().loss(), LOSS_PERCENT, "%"));
        limits.add(ofSampler(sampler.addedShare(), sampler.wakeUpShare()));
        double worstMs = latenciesNs.stream().mapToLong(Long::longValue).max().orElse(0) / Units.NS_PER_MS;
        limits.add(without("slowest detection", worstMs, DETECTION_MS, "ms"));
        for (SampleCost angler : costs) {
            if (angler.method().equals(ANGLER)) {
                limits.add(against(angler, costs));
            }
        }
        return List.copyOf(limits);
    }

    /** Sampling a thousand times a second includes waking up as often, which costs many times more on one machine than on another. */
    static ObserverBudget ofSampler(double addedShare, double wakeUpShare) {
        return new ObserverBudget(
                "added by the sampler to waking up",
                100 * addedShare,
                ADDED_PERCENT,
                "% of a core",
                String.format(Locale.ROOT, "waking up alone %.2f %%", 100 * wakeUpShare));
    }

    boolean holds() {
        return figure < limit;
    }

    private static ObserverBudget without(String what, double figure, double limit, String unit) {
        return new ObserverBudget(what, figure, limit, unit, "");
    }

    /** The best of our own ways; the one that is taken where it works. */
    private static ObserverBudget against(SampleCost angler, List<SampleCost> costs) {
        double oursNs = costs.stream()
                .filter(cost -> !cost.method().equals(ANGLER) && cost.idleSockets() == angler.idleSockets())
                .mapToLong(SampleCost::medianNs)
                .min()
                .orElseThrow();
        String what = "one sample against angler's with " + angler.idleSockets() + " idle sockets";
        return without(what, oursNs, (double) angler.medianNs(), "ns");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s: %.2f %s%s, limit %.2f: %s",
                what,
                figure,
                unit,
                note.isEmpty() ? "" : " (" + note + ")",
                limit,
                holds() ? "met" : "missed");
    }
}
