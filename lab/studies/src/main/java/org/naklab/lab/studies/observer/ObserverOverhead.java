package org.naklab.lab.studies.observer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;
import org.naklab.lab.tools.pipeline.BenchDirectory;
import org.naklab.lab.tools.threads.KernelProgramTimes;

/** The pipeline with all instruments on against the same without, in slices of one run, in turns. */
public final class ObserverOverhead {
    private ObserverOverhead() {}

    /**
     * The share of the sampler's time that one kind of instrument takes.
     *
     * @param perSecond samples, of all of the kind together
     * @param sampleUs of one sample, on average
     * @param coreShare of one core, 0 to 1
     */
    public record InstrumentShare(String instrument, double perSecond, double sampleUs, double coreShare) {}

    /**
     * Tells what the programs of the kernel recorder take, of all processes of the machine.
     *
     * @param perSecond runs
     * @param runNs mean time of a run, with the two readings of the clock that timing it takes
     * @param coreShare of one core, 0 to 1
     */
    public record KernelProgramShare(double perSecond, double runNs, double coreShare) {}

    /**
     * The results.
     *
     * @param losses of the single rounds, in order of size
     * @param kernelPrograms part of the loss in neither slice, since they run in both
     * @param instruments the dearest first, measured in a run that is watched throughout
     */
    public record Figures(
            @JsonUnwrapped Rates rates,
            @JsonUnwrapped Cost cost,
            @JsonUnwrapped ReplicaCost replicaCost,
            List<Double> losses,
            @JsonUnwrapped Cores cores,
            KernelProgramShare kernelPrograms,
            List<InstrumentShare> instruments) {
        /**
         * Contains the events a second.
         *
         * @param watchedPerSecond mean over the rounds, in events a second
         * @param alonePerSecond the same without instruments
         */
        public record Rates(long watchedPerSecond, long alonePerSecond) {}

        /**
         * Contains the lost share of the rate, with its interval.
         *
         * @param loss share of the rate that the instruments take; below 0 when they seem to help, which is noise
         * @param lossFrom of the interval that has the true loss in it with 95 % confidence
         * @param lossTo of that interval
         */
        public record Cost(double loss, double lossFrom, double lossTo) {}

        /**
         * Contains the lost share of the rate of the replica alone, with its interval.
         *
         * @param replicaLoss share of the rate that the replica's own instruments take alone, part of the loss
         * @param replicaLossFrom of the interval that has that in it with 95 % confidence
         * @param replicaLossTo of that interval
         */
        public record ReplicaCost(double replicaLoss, double replicaLossFrom, double replicaLossTo) {}

        /**
         * Contains the shares of a core.
         *
         * @param samplerCoreShare what the sampler takes of a core beside the pipeline, 0 to 1: median of the slices
         * @param samplerMeanCoreShare their mean, in which is what a hypervisor took while the sampler was on the processor
         * @param observerCoreShare what the whole observing process takes of a core
         * @param threadCoreShares by thread of that process, the busiest first; the kernel cuts a name after 15 letters
         */
        public record Cores(
                double samplerCoreShare,
                double samplerMeanCoreShare,
                double observerCoreShare,
                Map<String, Double> threadCoreShares) {}
    }

    /**
     * Measures.
     *
     * @param events of the feed; many runs of it if it takes them
     * @param rounds slices with instruments, each between two without
     * @param progress told how many rounds are done, whenever some more begin
     */
    public static Figures run(long seed, int events, int rounds, IntConsumer progress) throws Exception {
        try (BenchDirectory directory = new BenchDirectory();
                AskedProcess pipeline = BenchChild.start(
                        List.of(), PipelineProcess.class, Long.toString(seed), Integer.toString(events));
                AskedProcess observer = BenchChild.start(
                        ObserverProcess.JVM_OPTIONS, Map.of(KernelProgramTimes.VARIABLE, "1"), ObserverProcess.class)) {
            InterleavedRun sliced = new InterleavedRun(pipeline, observer, directory, events);
            InstrumentCosts costs = sliced.runWatched();
            while (sliced.rounds().size() < rounds) {
                int before = sliced.rounds().size();
                progress.accept(before);
                sliced.run(rounds);
                if (sliced.rounds().size() == before) {
                    throw new UsageException(
                            events + " events do not last for a round on this machine; take more by --events");
                }
            }
            return figures(sliced, costs);
        }
    }

    private static Figures figures(InterleavedRun sliced, InstrumentCosts costs) {
        List<Round> rounds = sliced.rounds();
        OverheadEstimate interval = OverheadEstimate.of(rounds);
        OverheadEstimate replica = OverheadEstimate.of(sliced.replicaRounds());
        ObserverCost cost = sliced.cost();
        return new Figures(
                new Figures.Rates(mean(rounds, Round::watched), mean(rounds, Round::alone)),
                new Figures.Cost(interval.loss(), interval.low(), interval.high()),
                new Figures.ReplicaCost(replica.loss(), replica.low(), replica.high()),
                rounds.stream().map(Round::loss).sorted().toList(),
                new Figures.Cores(
                        cost.samplerShare(), cost.samplerMeanShare(), cost.processShare(), cost.threadShares()),
                cost.kernelPrograms(),
                costs.shares());
    }

    private static long mean(List<Round> rounds, ToDoubleFunction<Round> rate) {
        return Math.round(rounds.stream().mapToDouble(rate).average().orElse(0));
    }
}
