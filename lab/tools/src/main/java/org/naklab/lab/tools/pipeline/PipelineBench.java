package org.naklab.lab.tools.pipeline;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.naklab.lab.core.experiment.StepListener;
import org.naklab.lab.tools.threads.StageTimes;

/** The service against the two primitives that it is made of, over the same bytes. */
public final class PipelineBench {
    private static final int WARM_UPS = 2;
    private static final int INSTRUMENTS = 8;

    private PipelineBench() {}

    /**
     * The results; each rate is the median of the rounds, in events per second.
     *
     * @param stages CPU time of each thread for one event, the source's and that of all other threads of the process too
     */
    public record Figures(
            @JsonUnwrapped Rates rates,
            @JsonUnwrapped Allocation allocation,
            List<StageTimes.Stage> stages,
            @JsonUnwrapped Bound bound) {
        /**
         * Contains the events a second.
         *
         * @param ratio pipeline against the slower of the two primitives, median of the rounds' ratios
         */
        public record Rates(double ratio, long pipelinePerSecond, long aeronPerSecond, long chroniclePerSecond) {}

        /**
         * Contains what the threads allocate for each message.
         *
         * @param contextBytesPerMessage heap allocated on the context thread
         * @param businessBytesPerMessage heap allocated on the business thread
         */
        public record Allocation(double contextBytesPerMessage, double businessBytesPerMessage) {}

        /**
         * Compares the rate with what the cores permit.
         *
         * @param cores that this process may use
         * @param boundPerSecond the rate that this CPU time allows on these cores
         * @param shareOfBound the pipeline's rate over the time of which the CPU times are, all but the first tenth of each round, divided by the bound
         */
        public record Bound(int cores, long boundPerSecond, double shareOfBound) {}
    }

    /** Returns how many steps {@link #run} has. */
    public static int steps(int rounds) {
        return WARM_UPS + rounds;
    }

    /**
     * Measures.
     *
     * @param progress told what is being done, and what each round gave
     */
    public static Figures run(long seed, int events, int rounds, StepListener progress) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        try (BenchDirectory directory = new BenchDirectory()) {
            Pipeline pipeline = new Pipeline(feed, directory);
            InterleavedBenchmark measured = new InterleavedBenchmark(
                    WARM_UPS,
                    rounds,
                    List.of("the pipeline", "Aeron alone", "Chronicle alone"),
                    new StepListener() {
                        @Override
                        public void onStep(String what) {
                            progress.onStep(what);
                            if (what.equals(InterleavedBenchmark.FIRST_ROUND + rounds)) {
                                pipeline.stages().clear();
                            }
                        }

                        @Override
                        public void onResult(String found) {
                            progress.onResult(found);
                        }
                    },
                    pipeline,
                    new AeronReceive(feed, directory),
                    new ChronicleAppend(feed, directory));
            List<StageTimes.Stage> stages = pipeline.stages().stages();
            int cores = Runtime.getRuntime().availableProcessors();
            double bound = StageTimes.boundPerSecond(stages, cores);
            return new Figures(
                    new Figures.Rates(
                            measured.ratio(0, 1, 2),
                            Math.round(measured.perSecond(0)),
                            Math.round(measured.perSecond(1)),
                            Math.round(measured.perSecond(2))),
                    new Figures.Allocation(pipeline.contextBytesPerMessage(), pipeline.businessBytesPerMessage()),
                    stages,
                    new Figures.Bound(
                            cores,
                            Math.round(bound),
                            bound == 0 ? 0 : pipeline.stages().perSecond() / bound));
        }
    }

    /**
     * Measures the whole service alone.
     *
     * @return events per second of each round, after the warm-up
     */
    public static double[] pipelineRates(long seed, int events, int rounds) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        try (BenchDirectory directory = new BenchDirectory()) {
            return rates(new Pipeline(feed, directory), rounds);
        }
    }

    /**
     * Measures a plain append to a Chronicle Queue alone.
     *
     * @return events per second of each round, after the warm-up
     */
    public static double[] appendRates(long seed, int events, int rounds) throws Exception {
        EncodedFeed feed = EncodedFeed.synthetic(seed, INSTRUMENTS, events);
        try (BenchDirectory directory = new BenchDirectory()) {
            return rates(new ChronicleAppend(feed, directory), rounds);
        }
    }

    private static double[] rates(Candidate candidate, int rounds) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            candidate.perSecond();
        }
        double[] rates = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            rates[i] = candidate.perSecond();
        }
        return rates;
    }
}
