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
    static final class Candidate {
        private final Jdk jdk;
        private final Arm arm;
        private final List<JitterReport> reports = new ArrayList<>();
        private boolean isOpen = true;

        private Candidate(Jdk jdk, Arm arm) {
            this.jdk = jdk;
            this.arm = arm;
        }

        Arm arm() {
            return arm;
        }
    }

    private ArmRounds() {}

    /**
     * Measures all; each round another one goes first.
     *
     * @param most the largest number of rounds
     * @param progress told of each measurement before it begins
     */
    static List<ArmSummary> run(
            MeterSettings settings, List<Jdk> jdks, List<Arm> arms, int most, Consumer<String> progress)
            throws InterruptedException {
        jdks.forEach(jdk -> arms.forEach(arm -> arm.requireKnownTo(jdk)));
        return run(jdks, arms, most, (candidate, round) -> {
            progress.accept(
                    "round " + round + "/" + most + ": JDK " + candidate.jdk.feature() + ", " + candidate.arm.name());
            return JitterRun.run(
                    settings,
                    new JitterRun.Subject(candidate.jdk.java(), candidate.arm.flags(), Injection.NONE, WORST, null));
        });
    }

    /** Measures until each arm is answered, or the rounds are over: an answer may be looked for after each round. A reference is measured as long as an arm that is compared with it. */
    static List<ArmSummary> run(
            List<Jdk> jdks, List<Arm> arms, int most, Experiment.Runner<Candidate, JitterReport> runner)
            throws InterruptedException {
        List<Candidate> candidates = new ArrayList<>();
        jdks.forEach(jdk -> arms.forEach(arm -> candidates.add(new Candidate(jdk, arm))));
        new Experiment<>(Experiment.Order.IN_TURNS, runner, new UntilAnswered(candidates, arms), () -> false)
                .run(candidates, 1, most);
        return summaries(candidates, arms);
    }

    private record UntilAnswered(List<Candidate> candidates, List<Arm> arms)
            implements Experiment.Rules<Candidate, JitterReport> {
        @Override
        public boolean isOpen(Candidate candidate) {
            return candidate.isOpen;
        }

        @Override
        public void onTrial(Trial<Candidate, JitterReport> trial) {
            trial.arm().reports.add(trial.result());
        }

        @Override
        public void onRound() {
            List<ArmSummary> summaries = summaries(candidates, arms);
            if (summaries.stream().allMatch(summary -> summary.against().comparedWith() == null)) {
                return;
            }
            for (int i = 0; i < summaries.size(); i++) {
                candidates.get(i).isOpen = !summaries.get(i).isAnswered();
            }
            for (int i = 0; i < summaries.size(); i++) {
                if (summaries.get(i).against().comparedWith() == null) {
                    candidates.get(i).isOpen = isNeeded(i, summaries);
                }
            }
        }

        /** Returns whether an arm without an answer is compared with this one. */
        private boolean isNeeded(int reference, List<ArmSummary> summaries) {
            int first = reference - reference % arms.size();
            return IntStream.range(first, first + arms.size())
                    .filter(i -> summaries.get(i).against().comparedWith() != null)
                    .filter(i -> first + indexOfReference(arms.get(i - first), arms) == reference)
                    .anyMatch(i -> candidates.get(i).isOpen);
        }
    }

    private static List<ArmSummary> summaries(List<Candidate> candidates, List<Arm> arms) {
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
