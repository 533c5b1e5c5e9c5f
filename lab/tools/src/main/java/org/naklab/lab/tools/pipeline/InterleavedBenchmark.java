package org.naklab.lab.tools.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.experiment.StepListener;

/**
 * Runs candidates in turns, so that whatever else the machine does falls on all of them, and keeps what each reached in each
 * round. Each round another one goes first: to come after somebody else is no advantage. Warm-up rounds are not kept.
 */
final class InterleavedBenchmark {
    /** The beginning of what is told of the first round that counts. */
    static final String FIRST_ROUND = "round 1/";

    private final List<double[]> perSecondByRound = new ArrayList<>();

    /**
     * Runs them all.
     *
     * @param names of the candidates, for people
     * @param progress told of each round as it begins, and what each candidate reached in it
     */
    InterleavedBenchmark(int warmUps, int rounds, List<String> names, StepListener progress, Candidate... candidates)
            throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            progress.onStep(
                    round < 0
                            ? "warming up " + (round + warmUps + 1) + "/" + warmUps
                            : "round " + (round + 1) + "/" + rounds);
            double[] perSecond = new double[candidates.length];
            for (int i = 0; i < candidates.length; i++) {
                int turn = Math.floorMod(round + i, candidates.length);
                perSecond[turn] = candidates[turn].perSecond();
            }
            if (round >= 0) {
                perSecondByRound.add(perSecond);
                progress.onResult(IntStream.range(0, perSecond.length)
                        .mapToObj(i -> Format.count(Math.round(perSecond[i])) + "/s " + names.get(i))
                        .collect(Collectors.joining(", ")));
            }
        }
    }

    /** Returns the median rate of one candidate over the rounds, per second. */
    double perSecond(int candidate) {
        return Median.of(perSecondByRound.stream().mapToDouble(round -> round[candidate]));
    }

    /**
     * Returns the median over the rounds of one candidate's rate, divided by the slowest of the others' in the same round.
     */
    double ratio(int candidate, int... others) {
        return Median.of(perSecondByRound.stream()
                .mapToDouble(round -> round[candidate]
                        / Arrays.stream(others)
                                .mapToDouble(other -> round[other])
                                .min()
                                .orElseThrow()));
    }
}
