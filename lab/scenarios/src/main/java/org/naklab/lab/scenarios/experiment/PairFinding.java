package org.naklab.lab.scenarios.experiment;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * Tells what the diagnosis of a run said about a pair of causes.
 *
 * @param firstPlace the place of the first cause among those that are named, from 1; 0: it is not named
 * @param secondPlace the place of the second cause
 * @param others the causes that are named beside them, each with its receiver
 * @param isInDoubt whether the run can show nothing about the diagnosis
 */
public record PairFinding(CausePair pair, int firstPlace, int secondPlace, List<String> others, boolean isInDoubt) {
    /** What a machine that is short of CPUs does by itself, in which a shorter stall may disappear. */
    private static final Set<Cause> OF_A_BUSY_MACHINE = EnumSet.of(Cause.MACHINE_STALLED, Cause.CPU_PREEMPTION);

    public PairFinding {
        others = List.copyOf(others);
    }

    /** Reads the finding from a run. */
    static PairFinding of(CausePair pair, RunResult result) {
        Diagnosis diagnosis = result.outcome().diagnosis();
        int first = pair.first().placeIn(diagnosis);
        int second = pair.second().placeIn(diagnosis);
        boolean isMachineBusy = diagnosis.causes().stream()
                .anyMatch(named -> OF_A_BUSY_MACHINE.contains(named.cause())
                        && !part(named).equals(pair.first())
                        && !part(named).equals(pair.second()));
        boolean isInDoubt = result.verdict() == Verdict.UNKNOWN || (isMachineBusy && (first == 0 || second == 0));
        return new PairFinding(pair, first, second, others(pair, diagnosis), isInDoubt);
    }

    private static List<String> others(CausePair pair, Diagnosis diagnosis) {
        List<CausePair.Part> injected = Arrays.asList(pair.first(), pair.second());
        return diagnosis.causes().stream()
                .filter(named -> named.cause() != Cause.CLEAN && !injected.contains(part(named)))
                .map(named -> part(named).toString())
                .distinct()
                .toList();
    }

    private static CausePair.Part part(NamedCause named) {
        return new CausePair.Part(named.cause(), named.process());
    }

    /** Returns true if both causes are named, each at its receiver. */
    public boolean isBothNamed() {
        return firstPlace > 0 && secondPlace > 0;
    }

    /** Returns what was named, in the words of the matrix: the pair itself if both were. */
    public String named() {
        if (isBothNamed()) {
            return pair.toString();
        }
        if (firstPlace == 0 && secondPlace == 0) {
            return others.isEmpty()
                    ? "nothing"
                    : "neither, but " + others.stream().collect(Collectors.joining(", "));
        }
        return "only " + (firstPlace > 0 ? pair.first() : pair.second());
    }

    /** Returns the one of both that is named before the other; empty if one is not named. */
    public String before() {
        if (!isBothNamed()) {
            return "";
        }
        return (firstPlace < secondPlace ? pair.first() : pair.second()).toString();
    }
}
