package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Set;
import org.naklab.faults.FaultSpec;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Format;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** The service is killed while the flow goes on: the gateway receives all of it, and the journal is intact as far as it goes. */
@AutoService(Scenario.class)
public final class ProcessEnded implements CauseScenario {
    /** The claims about the end of a process. */
    public enum Claims implements Claim {
        ENDED_EARLY("%s ended before the flow did"),
        JOURNAL_STARTED("journal has the events before the end");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    @Override
    public Cause injected() {
        return Cause.PROCESS_ENDED;
    }

    @Override
    public String summary() {
        return "The service is killed (SIGKILL); the journal is intact up to its end";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return new FaultSpec(null, "process-kill", Deployment.SERVICE, null, STALL_MS, null);
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }

    @Override
    public Set<String> victims() {
        return Set.of(Deployment.SERVICE);
    }

    @Override
    public List<Expectation> effects(RunOutcome outcome) {
        boolean hasEnded = outcome.service() == null;
        Verification journal = outcome.journal();
        long events = journal == null ? 0 : journal.events();
        return List.of(
                Expectation.of(
                        Claims.ENDED_EARLY,
                        Deployment.SERVICE,
                        hasEnded,
                        hasEnded ? "no final report" : "it gave a final report"),
                Expectation.of(Claims.JOURNAL_STARTED, events > 0, Format.count(events)));
    }
}
