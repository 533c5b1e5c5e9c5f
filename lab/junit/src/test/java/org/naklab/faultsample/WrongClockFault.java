package org.naklab.faultsample;

import com.google.auto.service.AutoService;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.ProofLog;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Wrong clock: the time of day is off by a constant. */
@AutoService(FaultKind.class)
public final class WrongClockFault implements FaultKind {
    /**
     * The parameters of a plan's entry.
     *
     * @param clock name of the {@link AdjustableClock}
     * @param offsetMs from -60,000 to 60,000
     */
    public record Parameters(String clock, long offsetMs) {
        public Parameters {
            Limits.within("offsetMs", offsetMs, -60_000, 60_000);
        }
    }

    @Override
    public String name() {
        return "wrong-clock";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The clock of a process is off by a constant")
                .with(
                        FaultParameter.text("clock", "name under which the clock was offered"),
                        FaultParameter.duration("offsetMs", -60_000, 60_000, "added to the time of day"))
                .proof("how far the clock moved when the fault was armed")
                .example("wrong-clock:clock=mds,offset=5s");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        AdjustableClock clock = site.seam(AdjustableClock.class, parameters.clock());
        ProofLog log = new ProofLog();
        return new Fault() {
            @Override
            public void arm() {
                long beforeMs = clock.time() - System.currentTimeMillis();
                clock.offsetMs(parameters.offsetMs());
                long nowNs = System.nanoTime();
                log.set("gainedMs", clock.time() - System.currentTimeMillis() - beforeMs);
                if (parameters.offsetMs() != 0) {
                    log.fired(nowNs, nowNs, parameters.clock());
                }
            }

            @Override
            public void disarm() {
                clock.offsetMs(0);
            }

            @Override
            public FaultProof proof() {
                return log.proof("the clock was set wrong", "the clock was left alone");
            }
        };
    }
}
