package org.naklab.lab.bench;

import java.util.function.Consumer;

/** The pipeline with all instruments on against the same without, in turns. */
public final class ObserverLoss {
    private static final int WARM_UPS = 2;
    private static final int INSTRUMENTS = 8;

    private ObserverLoss() {}

    /**
     * What was measured.
     *
     * @param watchedPerSecond median over the rounds, in events a second
     * @param alonePerSecond the same without instruments
     * @param loss share of the rate that the instruments take, from the median of the rounds' ratios; below 0 when they seem to help, which
     *     is noise
     * @param leastLoss of the rounds, as far as the noise goes
     * @param mostLoss of the rounds, as far as the noise goes
     * @param samplerCoreShare what the sampler took of a core during the last round, 0 to 1
     */
    public record Figures(
            long watchedPerSecond,
            long alonePerSecond,
            double loss,
            double leastLoss,
            double mostLoss,
            double samplerCoreShare) {}

    /**
     * Measures.
     *
     * @param progress told what is being done
     */
    public static Figures run(long seed, int events, int rounds, Consumer<String> progress) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        try (BenchDirectory directory = new BenchDirectory()) {
            Pipeline watched = new Pipeline(feed, directory, true);
            Rounds measured = new Rounds(WARM_UPS, rounds, progress, watched, new Pipeline(feed, directory));
            double[] ratios = measured.ratios(0, 1);
            return new Figures(
                    Math.round(measured.perSecond(0)),
                    Math.round(measured.perSecond(1)),
                    1 - Rounds.median(ratios),
                    1 - ratios[ratios.length - 1],
                    1 - ratios[0],
                    watched.samplerShare());
        }
    }
}
