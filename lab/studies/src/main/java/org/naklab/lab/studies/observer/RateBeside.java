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
 * The pipeline's rate beside some processes, against its rate beside others, in slices of one run, in turns: those of the other side are halted. What changes more
 * slowly than the slices do, the machine's speed above all, is the same on both sides. The slices are of one length, so that what waits for a process that is halted is as much
 * on one side as on the other.
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
         */
        Sides begin(long pid, String aeronDirectory) throws Exception;
    }

    /**
     * Names the processes of both sides.
     *
     * @param without pids of those that go on while what is measured does not
     * @param with pids of those that go on while it does
     */
    public record Sides(List<Long> without, List<Long> with) {
        public Sides {
            without = List.copyOf(without);
            with = List.copyOf(with);
        }
    }

    /**
     * The results.
     *
     * @param withPerSecond mean over the rounds beside the processes with what is measured, in events a second
     * @param withoutPerSecond the same beside those without
     * @param loss share of the rate that it takes; below 0 when it seems to help, which is noise
     * @param lossFrom of the interval that has the true loss in it with 95 % confidence
     * @param lossTo of that interval
     */
    public record Figures(
            int rounds, long withPerSecond, long withoutPerSecond, double loss, double lossFrom, double lossTo) {}

    /**
     * Measures.
     *
     * @param events of the feed; many runs of it if it takes them
     * @param rounds slices with what is measured, each between two without
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
                Sides sides = neighbours.begin(pipeline.pid(), slices.launch());
                slices.go();
                PipelineSlices.warmUp();
                takeTurns(slices, sides, rounds, done);
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

    private static void takeTurns(PipelineSlices slices, Sides sides, int wanted, List<Round> done) {
        sides.with().forEach(ProcessSignals::stop);
        sides.without().forEach(ProcessSignals::stop);
        try {
            Turn.take(
                    List.of(new Turn(() -> rate(slices, sides.with()), done)),
                    () -> rate(slices, sides.without()),
                    wanted);
        } finally {
            sides.with().forEach(ProcessSignals::resume);
            sides.without().forEach(ProcessSignals::resume);
        }
    }

    private static OptionalDouble rate(PipelineSlices slices, List<Long> pids) {
        PipelineSlices.Look from = slices.look();
        pids.forEach(ProcessSignals::resume);
        OptionalDouble rate = slices.besideRate(from);
        pids.forEach(ProcessSignals::stop);
        return rate;
    }
}
