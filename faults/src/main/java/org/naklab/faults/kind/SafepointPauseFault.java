package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.ProofLog;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Safepoint pause: all threads of the JVM wait for one that is long in coming to a safepoint. */
@AutoService(FaultKind.class)
public final class SafepointPauseFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param pauseMs about how long, from 5 to 200
     * @param times one after the other; 1 if left out, at most 100
     */
    public record Parameters(int pauseMs, int times) {
        public Parameters {
            Limits.within("pauseMs", pauseMs, 5, 200);
            times = times == 0 ? 1 : Limits.within("times", times, 1, 100);
        }
    }

    @Override
    public String name() {
        return "safepoint-pause";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("All threads of the JVM wait for one that reaches its safepoint late")
                .with(
                        FaultParameter.duration("pauseMs", 5, 200, "approximate length of each pause"),
                        FaultParameter.count("times", 1, 100, "one after the other")
                                .orElse("1"))
                .proof("a VM operation waited for the slow thread for at least half of the pause")
                .example("safepoint-pause:pause=100ms");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        return new SafepointPause(spec.parametersAs(Parameters.class), new SlowToSafepoint());
    }

    private static final class SafepointPause implements Fault {
        private final Parameters parameters;
        private final SlowToSafepoint laggard;
        private final ProofLog log = new ProofLog();

        SafepointPause(Parameters parameters, SlowToSafepoint laggard) {
            this.parameters = parameters;
            this.laggard = laggard;
        }

        @Override
        public void arm() {
            long pauseNs = TimeUnit.MILLISECONDS.toNanos(parameters.pauseMs());
            laggard.prepare();
            for (int i = 0; i < parameters.times(); i++) {
                SlowToSafepoint.Wait wait = laggard.waitForSafepoint(pauseNs);
                log.set("longestWaitNs", Math.max(log.figure("longestWaitNs"), wait.durationNs()));
                if (wait.wasForLaggard() && wait.durationNs() >= pauseNs / 2) {
                    log.fired(wait.beginNs(), wait.endNs(), "safepoint waited for a thread");
                }
            }
        }

        @Override
        public void disarm() {
            // Arming waits for the end of the last pause.
        }

        @Override
        public FaultProof proof() {
            return log.proof(
                    "a VM operation could begin only when the slow thread had come to a safepoint",
                    "no VM operation had to wait: the loop was compiled with safepoint polls, or not at all");
        }
    }
}
