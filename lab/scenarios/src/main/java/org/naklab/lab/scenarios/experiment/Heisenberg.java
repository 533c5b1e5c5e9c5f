package org.naklab.lab.scenarios.experiment;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.scenarios.InstrumentLevel;

/**
 * Asks whether observing changes how often something happens: runs the same seeds with no, normal and full instruments, and compares the shares of runs that hit. Whether a
 * run hit is what its processes counted themselves.
 */
public final class Heisenberg {
    private final Runs runs;
    private final Consumer<Run> listener;
    private final Map<InstrumentLevel, List<Run>> finished = new EnumMap<>(InstrumentLevel.class);

    /** Executes the runs. */
    @FunctionalInterface
    public interface Runs {
        /** Executes a run and waits for its end. */
        Run run(InstrumentLevel level, long seed) throws InterruptedException;
    }

    /**
     * One run.
     *
     * @param isCounted whether it came to its end, and its service reported; others are no trials
     * @param isHit whether the service sent a NAK
     * @param p999Us the latency that one event in a thousand exceeded, from due to in the service's books, µs
     */
    public record Run(InstrumentLevel level, long seed, boolean isCounted, boolean isHit, double p999Us) {}

    /**
     * The result of a level.
     *
     * @param difference of its share of hits from that without instruments, with its 95 % interval
     * @param answer against no instruments, which are the reference
     * @param p999Us median over the runs, µs
     */
    public record Level(
            InstrumentLevel level, WilsonInterval hits, ShareDifference difference, Answer answer, double p999Us) {}

    /** @param listener is told about each run when it has ended */
    public Heisenberg(Runs runs, Consumer<Run> listener) {
        this.runs = runs;
        this.listener = listener;
        for (InstrumentLevel level : InstrumentLevel.values()) {
            finished.put(level, new ArrayList<>());
        }
    }

    /**
     * Runs each seed with all levels before the next seed, each time another level first: a slow change of the machine affects all of them.
     *
     * @param repeat number of seeds
     */
    public void run(int repeat, long firstSeed, Cancellation cancellation) throws InterruptedException {
        new Experiment<>(
                        Experiment.Order.IN_TURNS,
                        runs::run,
                        (Trial<InstrumentLevel, Run> trial) -> {
                            finished.getOrDefault(trial.arm(), new ArrayList<>())
                                    .add(trial.result());
                            listener.accept(trial.result());
                        },
                        cancellation::isRequested)
                .run(List.of(InstrumentLevel.values()), firstSeed, repeat);
    }

    /**
     * Returns the results, without instruments first.
     *
     * @param margin smaller differences of the share are none, 0 to 1
     */
    public List<Level> levels(double margin) {
        WilsonInterval reference = hits(InstrumentLevel.NONE);
        List<Level> levels = new ArrayList<>();
        finished.forEach((level, ended) -> {
            WilsonInterval hits = hits(level);
            ShareDifference difference = ShareDifference.of(hits, reference);
            Answer answer = level == InstrumentLevel.NONE ? Answer.REFERENCE : answer(difference, margin);
            double p999Us = hits.trials() == 0
                    ? 0
                    : Median.of(ended.stream().filter(Run::isCounted).mapToDouble(Run::p999Us));
            levels.add(new Level(level, hits, difference, answer, p999Us));
        });
        return levels;
    }

    private WilsonInterval hits(InstrumentLevel level) {
        List<Run> counted = finished.getOrDefault(level, List.of()).stream()
                .filter(Run::isCounted)
                .toList();
        return WilsonInterval.of((int) counted.stream().filter(Run::isHit).count(), counted.size());
    }

    private static Answer answer(ShareDifference difference, double margin) {
        if (difference.low() > 0) {
            return Answer.MORE_OFTEN;
        }
        if (difference.high() < 0) {
            return Answer.LESS_OFTEN;
        }
        return difference.low() >= -margin && difference.high() <= margin
                ? Answer.NO_DIFFERENCE
                : Answer.NOT_ENOUGH_RUNS;
    }
}
