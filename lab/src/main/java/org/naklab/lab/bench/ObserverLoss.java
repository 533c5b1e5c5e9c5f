package org.naklab.lab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The pipeline with all instruments on against the same without, in turns: on, off, off, on. */
public final class ObserverLoss {
    private static final int WARM_UPS = 4;
    private static final String SAMPLER = "detect-sampler";

    private ObserverLoss() {}

    /**
     * What one kind of instrument takes of the sampler's time.
     *
     * @param perSecond samples, of all of the kind together
     * @param sampleUs of one sample, on average
     * @param coreShare of one core, 0 to 1
     */
    public record InstrumentShare(String instrument, double perSecond, double sampleUs, double coreShare) {}

    /**
     * What was measured.
     *
     * @param watchedPerSecond median over the rounds, in events a second
     * @param alonePerSecond the same without instruments
     * @param loss share of the rate that the instruments take, from the median of the rounds' ratios; below 0 when they seem to help, which
     *     is noise
     * @param lossFrom of the interval that has the true median of the loss in it with 95 % confidence
     * @param lossTo of that interval
     * @param losses of the single rounds, in order of size
     * @param samplerCoreShare what the sampler takes of a core beside the pipeline, 0 to 1: median of the tenths of a second
     * @param samplerMeanCoreShare their mean, in which is what a hypervisor took while the sampler was on the processor
     * @param observerCoreShare what the whole observing process takes of a core
     * @param threadCoreShares by thread of that process, the busiest first
     * @param instruments the dearest first
     */
    public record Figures(
            long watchedPerSecond,
            long alonePerSecond,
            double loss,
            double lossFrom,
            double lossTo,
            List<Double> losses,
            double samplerCoreShare,
            double samplerMeanCoreShare,
            double observerCoreShare,
            Map<String, Double> threadCoreShares,
            List<InstrumentShare> instruments) {}

    /**
     * Measures.
     *
     * @param progress told what is being done
     */
    public static Figures run(long seed, int events, int rounds, Consumer<String> progress) throws Exception {
        try (BenchDirectory directory = new BenchDirectory();
                PipelineChild child = PipelineChild.start(seed, events)) {
            ObservedPipeline watched = new ObservedPipeline(child, directory, WARM_UPS);
            Rounds measured =
                    new Rounds(WARM_UPS, rounds, progress, watched, () -> ObservedPipeline.alonePerSecond(child));
            double[] losses = Arrays.stream(measured.ratios(0, 1))
                    .map(ratio -> 1 - ratio)
                    .sorted()
                    .toArray();
            MedianInterval loss = MedianInterval.of(losses);
            ObserverCost cost = watched.cost();
            Map<String, Double> threads = cost.threadShares();
            return new Figures(
                    Math.round(measured.perSecond(0)),
                    Math.round(measured.perSecond(1)),
                    loss.median(),
                    loss.low(),
                    loss.high(),
                    Arrays.stream(losses).boxed().toList(),
                    cost.samplerShare(),
                    threads.getOrDefault(SAMPLER, 0.0),
                    cost.processShare(),
                    threads,
                    cost.instrumentShares());
        }
    }
}
