package org.naklab.lab.cli.run;

import java.util.List;
import java.util.Map;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;

/** Makes the outcome of a run of which nothing is known. */
public final class EmptyOutcome {
    private EmptyOutcome() {}

    /** Makes the outcome of a plan with the troubles that its run had. */
    public static RunOutcome of(RunPlan plan, String... troubles) {
        return new RunOutcome(
                plan,
                Map.of(),
                null,
                List.of(),
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(troubles),
                Map.of(),
                InstrumentCoverage.none(),
                Diagnosis.of(new CaseFile("mds", 0, new Interval(0, 0), List.of(), List.of(), Map.of(), List.of())),
                0,
                1);
    }
}
