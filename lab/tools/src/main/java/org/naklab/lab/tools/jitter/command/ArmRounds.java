package org.naklab.lab.tools.jitter.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.tools.jitter.Injection;
import org.naklab.lab.tools.jitter.JitterReport;
import org.naklab.lab.tools.jitter.JitterRun;
import org.naklab.lab.tools.jitter.MeterSettings;

/** Measures several arms on several JDKs in turns, so that whatever else the machine does falls on all of them. */
final class ArmRounds {
    /** Of the single rounds, only sums are used. */
    private static final int WORST = 1;

    /** One arm on one JDK, with what was measured; two arms may have equal names and flags. */
    private record Candidate(Jdk jdk, Arm arm, List<JitterReport> reports) {}

    private ArmRounds() {}

    /**
     * Measures all; each round another one goes first.
     *
     * @param progress told of each measurement before it begins
     */
    static List<ArmSummary> run(
            MeterSettings settings, List<Jdk> jdks, List<Arm> arms, int rounds, Consumer<String> progress)
            throws InterruptedException {
        List<Candidate> candidates = new ArrayList<>();
        jdks.forEach(jdk -> arms.forEach(arm -> candidates.add(new Candidate(jdk, arm, new ArrayList<>()))));
        candidates.forEach(candidate -> candidate.arm.requireKnownTo(candidate.jdk));
        new Experiment<>(
                        Experiment.Order.IN_TURNS,
                        (Candidate candidate, long round) -> {
                            progress.accept("round " + round + "/" + rounds + ": JDK " + candidate.jdk.feature() + ", "
                                    + candidate.arm.name());
                            return JitterRun.run(
                                    settings,
                                    new JitterRun.Subject(
                                            candidate.jdk.java(), candidate.arm.flags(), Injection.NONE, WORST));
                        },
                        (Trial<Candidate, JitterReport> trial) ->
                                trial.arm().reports.add(trial.result()),
                        () -> false)
                .run(candidates, 1, rounds);
        List<ArmSummary> summaries = new ArrayList<>();
        for (int first = 0; first < candidates.size(); first += arms.size()) {
            summaries.addAll(compared(
                    candidates.subList(first, first + arms.size()).stream()
                            .map(each -> ArmSummary.of(each.jdk, each.arm, each.reports))
                            .toList(),
                    arms));
        }
        return summaries;
    }

    /**
     * Compares the arms of one JDK, each with its reference.
     *
     * @param summaries in the order of the arms
     */
    static List<ArmSummary> compared(List<ArmSummary> summaries, List<Arm> arms) {
        List<Integer> references =
                arms.stream().map(arm -> indexOfReference(arm, arms)).toList();
        return IntStream.range(0, arms.size())
                .mapToObj(i -> {
                    int reference = references.get(i);
                    int others = Collections.frequency(references, reference) - 1;
                    return reference == i
                            ? summaries.get(i)
                            : summaries.get(i).comparedWith(summaries.get(reference), others);
                })
                .toList();
    }

    private static int indexOfReference(Arm arm, List<Arm> arms) {
        return IntStream.range(0, arms.size())
                .filter(i -> arms.get(i).name().equals(arm.reference()))
                .findFirst()
                .orElse(0);
    }
}
