package org.naklab.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.naklab.lab.UsageException;

/** The pipeline with all instruments on against the same without, in slices of one run, in turns. */
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
     * @param loss share of the rate that the instruments take, the median of the rounds; below 0 when they seem to help, which is noise
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
     * @param events of the feed; many runs of it if it takes them
     * @param rounds slices with instruments, each between two without
     * @param progress told what is being done
     */
    public static Figures run(long seed, int events, int rounds, Consumer<String> progress) throws Exception {
        try (BenchDirectory directory = new BenchDirectory();
                PipelineChild child = PipelineChild.start(seed, events)) {
            SlicedRun sliced = new SlicedRun(child, directory, events);
            progress.accept("warming up");
            sliced.run(WARM_UPS);
            sliced.forget();
            while (sliced.losses().size() < rounds) {
                int before = sliced.losses().size();
                progress.accept("round " + (before + 1) + '/' + rounds);
                sliced.run(rounds);
                if (sliced.losses().size() == before) {
                    throw new UsageException(
                            events + " events do not last for a round on this machine; take more by --events");
                }
            }
            return figures(sliced);
        }
    }

    private static Figures figures(SlicedRun sliced) {
        MedianInterval loss = MedianInterval.of(sliced.losses());
        ObserverCost cost = sliced.cost();
        Map<String, Double> threads = cost.threadShares();
        return new Figures(
                Math.round(MedianInterval.of(sliced.watchedPerSecond()).median()),
                Math.round(MedianInterval.of(sliced.alonePerSecond()).median()),
                loss.median(),
                loss.low(),
                loss.high(),
                sliced.losses().stream().sorted().toList(),
                cost.samplerShare(),
                threads.getOrDefault(SAMPLER, 0.0),
                cost.processShare(),
                threads,
                cost.instrumentShares());
    }
}
