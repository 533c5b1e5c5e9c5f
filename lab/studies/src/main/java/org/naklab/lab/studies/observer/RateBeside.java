package org.naklab.lab.studies.observer;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.process.AskedProcess;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;

/**
 * The pipeline's rate while some other processes go on, against the same while they are halted, in slices of one run, in turns. What changes more slowly than the slices
 * do, the machine's speed above all, is the same with and without.
 */
public final class RateBeside {
    private RateBeside() {}

    /** Tells what goes on beside one run of the pipeline. */
    @FunctionalInterface
    public interface Neighbours {
        /**
         * Starts, or attaches to a service that is up and takes no traffic yet.
         *
         * @param pid of the pipeline
         * @param aeronDirectory of the service's driver
         * @return the processes that are halted in turns
         */
        List<Long> begin(long pid, String aeronDirectory) throws Exception;
    }

    /**
     * The results.
     *
     * @param besidePerSecond mean over the rounds while the processes go on, in events a second
     * @param alonePerSecond the same while they are halted
     * @param loss share of the rate that they take; below 0 when they seem to help, which is noise
     * @param lossFrom of the interval that has the true loss in it with 95 % confidence
     * @param lossTo of that interval
     */
    public record Figures(
            int rounds, long besidePerSecond, long alonePerSecond, double loss, double lossFrom, double lossTo) {}

    /**
     * Measures.
     *
     * @param events of the feed; many runs of it if it takes them
     * @param rounds slices beside the processes, each between two without
     * @param progress told how many rounds are done, whenever some more begin
     */
    public static Figures run(long seed, int events, int rounds, Neighbours neighbours, IntConsumer progress)
            throws Exception {
        List<Round> done = new ArrayList<>();
        try (AskedProcess pipeline =
                BenchChild.start(List.of(), PipelineProcess.class, Long.toString(seed), Integer.toString(events))) {
            while (done.size() < rounds) {
                int before = done.size();
                progress.accept(before);
                PipelineSlices slices = new PipelineSlices(pipeline, events);
                List<Long> pids = neighbours.begin(pipeline.pid(), slices.launch());
                slices.go();
                PipelineSlices.warmUp();
                takeTurns(slices, pids, rounds, done);
                slices.end();
                if (done.size() == before) {
                    throw new UsageException(events + " events do not last for a round on this machine");
                }
            }
        }
        OverheadEstimate estimate = OverheadEstimate.of(done);
        return new Figures(
                done.size(),
                Math.round(done.stream().mapToDouble(Round::watched).average().orElse(0)),
                Math.round(done.stream().mapToDouble(Round::alone).average().orElse(0)),
                estimate.loss(),
                estimate.low(),
                estimate.high());
    }

    private static void takeTurns(PipelineSlices slices, List<Long> pids, int wanted, List<Round> done) {
        pids.forEach(ProcessSignals::stop);
        try {
            Turn.take(List.of(new Turn(() -> besideRate(slices, pids), done)), slices::aloneRate, wanted);
        } finally {
            pids.forEach(ProcessSignals::resume);
        }
    }

    private static OptionalDouble besideRate(PipelineSlices slices, List<Long> pids) {
        PipelineSlices.Look from = slices.look();
        pids.forEach(ProcessSignals::resume);
        OptionalDouble rate = slices.besideRate(from);
        pids.forEach(ProcessSignals::stop);
        return rate;
    }
}
