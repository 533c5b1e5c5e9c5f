package org.naklab.lab.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.bench.ObserverOverhead;
import org.naklab.lab.bench.detection.SampleCost;

/**
 * The limits of the overhead of the instruments.
 *
 * @param figure as measured
 * @param limit that the figure must stay below
 * @param floor what the machine takes however little is done, measured in the same run; 0 if there is no such thing
 */
record ObserverBudget(String what, double figure, double limit, String unit, double floor) {
    private static final double SHARE_PERCENT = 2;
    private static final double DETECTION_MS = 10;
    private static final String ANGLER = "angler";

    /**
     * Every one; without angler on this machine there is nothing to be measured by it.
     *
     * @param samplerShare of a core, on an idle process
     * @param wakeUpShare of a core, of a sampler that does nothing but wake up
     */
    static List<ObserverBudget> all(
            ObserverOverhead.Figures pipeline,
            double samplerShare,
            double wakeUpShare,
            List<Long> latenciesNs,
            List<SampleCost> costs) {
        List<ObserverBudget> limits = new ArrayList<>();
        limits.add(without("loss of rate", 100 * pipeline.loss(), SHARE_PERCENT, "%"));
        limits.add(ofSampler(Math.max(samplerShare, pipeline.samplerCoreShare()), wakeUpShare));
        double worstMs = latenciesNs.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6;
        limits.add(without("slowest detection", worstMs, DETECTION_MS, "ms"));
        for (SampleCost angler : costs) {
            if (angler.method().equals(ANGLER)) {
                limits.add(against(angler, costs));
            }
        }
        return List.copyOf(limits);
    }

    /** To sample a thousand times a second is to wake up as often. */
    static ObserverBudget ofSampler(double samplerShare, double wakeUpShare) {
        return new ObserverBudget(
                "sampler's share of a core", 100 * samplerShare, SHARE_PERCENT, "%", 100 * wakeUpShare);
    }

    boolean holds() {
        return figure < limit;
    }

    /** Returns whether no program could meet this limit on this machine. */
    boolean isOutOfReach() {
        return !holds() && floor >= limit;
    }

    private static ObserverBudget without(String what, double figure, double limit, String unit) {
        return new ObserverBudget(what, figure, limit, unit, 0);
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
        return String.format(Locale.ROOT, "%s: %.2f %s, limit %.2f: %s", what, figure, unit, limit, judgement());
    }

    private String judgement() {
        if (holds()) {
            return "met";
        }
        return isOutOfReach()
                ? String.format(Locale.ROOT, "missed; on this machine waking up alone takes %.2f %s", floor, unit)
                : "missed";
    }
}
