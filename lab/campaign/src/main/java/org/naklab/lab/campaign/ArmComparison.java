package org.naklab.lab.campaign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.ShareDifference;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/**
 * Two arms of a scenario, by the seeds at which both have a verdict.
 *
 * @param pairs number of these seeds
 * @param difference share of failures of the first arm without that of the second, with its 95 % confidence interval
 * @param test of the seeds at which exactly one arm failed
 * @param decided whether the sequential test has shown that the arms differ
 */
public record ArmComparison(
        String scenario,
        String first,
        String second,
        int pairs,
        ShareDifference difference,
        PairedTest test,
        boolean decided) {
    /** Compares the arms of each scenario; empty unless there are exactly two, with the same seeds. */
    static List<ArmComparison> of(CampaignPlan plan, List<CampaignStore.Mark> marks) {
        List<ArmComparison> comparisons = new ArrayList<>();
        if (plan.grid().arms().size() != 2 || !plan.grid().blocks().isEmpty()) {
            return comparisons;
        }
        Map<TrialRow.Key, Verdict> verdicts = new HashMap<>();
        marks.forEach(mark -> verdicts.put(new TrialRow.Key(mark.cell(), mark.seed()), mark.verdict()));
        plan.grid()
                .scenarios()
                .forEach(scenario -> comparisons.add(of(
                        scenario, plan.grid().arms().get(0), plan.grid().arms().get(1), marks, verdicts)));
        return comparisons;
    }

    private static ArmComparison of(
            String scenario,
            String first,
            String second,
            List<CampaignStore.Mark> marks,
            Map<TrialRow.Key, Verdict> verdicts) {
        Cell one = new Cell(scenario, first);
        Cell other = new Cell(scenario, second);
        int pairs = 0;
        int firstFailed = 0;
        int secondFailed = 0;
        int both = 0;
        for (CampaignStore.Mark mark : marks) {
            Verdict opposite = verdicts.getOrDefault(new TrialRow.Key(other, mark.seed()), Verdict.UNKNOWN);
            if (mark.cell().equals(one) && mark.verdict() != Verdict.UNKNOWN && opposite != Verdict.UNKNOWN) {
                pairs++;
                firstFailed += mark.verdict() == Verdict.FAIL ? 1 : 0;
                secondFailed += opposite == Verdict.FAIL ? 1 : 0;
                both += mark.verdict() == Verdict.FAIL && opposite == Verdict.FAIL ? 1 : 0;
            }
        }
        PairedTest test = new PairedTest(firstFailed - both, secondFailed - both);
        return new ArmComparison(
                scenario,
                first,
                second,
                pairs,
                ShareDifference.of(WilsonInterval.of(firstFailed, pairs), WilsonInterval.of(secondFailed, pairs)),
                test,
                test.isDecided());
    }
}
