package org.naklab.lab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.bench.ObserverLoss;
import org.naklab.lab.detect.SampleCost;

/**
 * What observing may cost at most.
 *
 * @param figure as measured
 * @param limit that the figure must stay below
 */
record ObserverLimit(String what, double figure, double limit, String unit) {
    private static final double SHARE_PERCENT = 2;
    private static final double DETECTION_MS = 10;
    private static final String ANGLER = "angler";

    /** Every one; without angler on this machine there is nothing to be measured by it. */
    static List<ObserverLimit> all(
            ObserverLoss.Figures pipeline, double samplerShare, List<Long> latenciesNs, List<SampleCost> costs) {
        List<ObserverLimit> limits = new ArrayList<>();
        double sampler = Math.max(samplerShare, pipeline.samplerCoreShare());
        limits.add(new ObserverLimit("loss of rate", 100 * pipeline.loss(), SHARE_PERCENT, "%"));
        limits.add(new ObserverLimit("sampler's share of a core", 100 * sampler, SHARE_PERCENT, "%"));
        double worstMs = latenciesNs.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6;
        limits.add(new ObserverLimit("slowest detection", worstMs, DETECTION_MS, "ms"));
        for (SampleCost angler : costs) {
            if (angler.method().equals(ANGLER)) {
                limits.add(against(angler, costs));
            }
        }
        return List.copyOf(limits);
    }

    boolean holds() {
        return figure < limit;
    }

    /** The best of our own ways; the one that is taken where it works. */
    private static ObserverLimit against(SampleCost angler, List<SampleCost> costs) {
        double oursNs = costs.stream()
                .filter(cost -> !cost.method().equals(ANGLER) && cost.idleSockets() == angler.idleSockets())
                .mapToLong(SampleCost::medianNs)
                .min()
                .orElseThrow();
        String what = "one sample against angler's with " + angler.idleSockets() + " idle sockets";
        return new ObserverLimit(what, oursNs, angler.medianNs(), "ns");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s: %.2f %s, must be under %.2f: %s",
                what,
                figure,
                unit,
                limit,
                holds() ? "holds" : "does not hold");
    }
}
