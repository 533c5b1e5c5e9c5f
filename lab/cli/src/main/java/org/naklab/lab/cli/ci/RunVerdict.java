package org.naklab.lab.cli.ci;

import java.util.List;
import java.util.Locale;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;

/**
 * The verdict on one run, for continuous integration.
 *
 * @param name of the run: scenario, remedy and seed
 * @param elapsedNs how long the run took, ns
 */
public record RunVerdict(String name, Kind kind, String diagnosis, long elapsedNs, List<Condition> conditions) {
    /** Tells whether something was as predicted. */
    public enum Kind {
        PASS,
        FAIL,
        UNKNOWN;

        private static Kind of(Verdict verdict) {
            return valueOf(verdict.name());
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A condition.
     *
     * @param claim what was predicted
     * @param sentence what was expected and what was found
     */
    public record Condition(String claim, Kind kind, String sentence) {}

    public RunVerdict {
        conditions = List.copyOf(conditions);
    }

    /** Returns the verdict on a run that has ended. */
    public static RunVerdict of(RunResult result) {
        RunPlan plan = result.outcome().plan();
        return new RunVerdict(
                plan.scenario() + ", remedy " + plan.remedy() + ", seed " + plan.seed(),
                Kind.of(result.verdict()),
                result.diagnosis(),
                result.outcome().elapsedNs(),
                result.conditions().stream()
                        .map(each -> new Condition(each.claim(), Kind.of(each.verdict()), each.sentence()))
                        .toList());
    }

    long count(Kind wanted) {
        return conditions.stream().filter(each -> each.kind() == wanted).count();
    }
}
