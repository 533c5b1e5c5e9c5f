package org.naklab.lab.run;

import java.util.List;
import org.naklab.lab.scenario.Condition;
import org.naklab.lab.scenario.RunOutcome;
import org.naklab.lab.scenario.Verdict;

/** A finished run: what was seen, what that says about the prediction. */
public record RunResult(RunOutcome outcome, List<Condition> conditions, Verdict verdict, List<String> story) {
    /** The diagnosed cause, as in the documents. */
    public String diagnosis() {
        return outcome.diagnosis().cause().label();
    }
}
