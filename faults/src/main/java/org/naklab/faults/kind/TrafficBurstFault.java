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
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.seam.PacingSeam;

/** Traffic burst: for a number of messages the feed runs at a multiple of its rate, for every receiver alike. */
@AutoService(FaultKind.class)
public final class TrafficBurstFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param pacer name of the {@link PacingSeam}
     * @param messages length of the burst, from 1 to 1,000,000
     * @param factor of the rate, from 2 to 1,000
     */
    public record Parameters(String pacer, int messages, int factor) {
        public Parameters {
            Required.text("pacer", pacer);
            Limits.within("messages", messages, 1, 1_000_000);
            Limits.within("factor", factor, 2, 1_000);
        }
    }

    @Override
    public String name() {
        return "traffic-burst";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The feed runs at a multiple of its rate for a number of messages")
                .on("exchange")
                .with(
                        FaultParameter.text("pacer", "the pacer of the feed").inReplica("feed"),
                        FaultParameter.count("messages", 1, 1_000_000, "length of the burst"),
                        FaultParameter.count("factor", 2, 1_000, "multiple of the rate"))
                .proof("all of these messages were sent early")
                .example("traffic-burst:messages=3000,factor=10");
    }

    /** All receivers take the burst. */
    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        return new Burst(parameters, site.seam(PacingSeam.class, parameters.pacer()));
    }

    private static final class Burst implements Fault, PacingSeam.Burst {
        private final Parameters parameters;
        private final PacingSeam pacer;
        private final ProofLog log = new ProofLog();
        private long messages;
        private long gainedNs;

        Burst(Parameters parameters, PacingSeam pacer) {
            this.parameters = parameters;
            this.pacer = pacer;
        }

        @Override
        public void arm() {
            pacer.begin(this);
        }

        @Override
        public synchronized long gainNs(long dueNs, long gapNs) {
            if (messages == parameters.messages()) {
                return 0;
            }
            messages++;
            long gainNs = gapNs - gapNs / parameters.factor();
            gainedNs += gainNs;
            if (messages == parameters.messages()) {
                long nowNs = System.nanoTime();
                log.fired(
                        nowNs,
                        nowNs,
                        messages + " messages were due " + TimeUnit.NANOSECONDS.toMillis(gainedNs)
                                + " ms early at the end");
            }
            return gainNs;
        }

        @Override
        public void disarm() {
            pacer.end(this);
        }

        @Override
        public synchronized FaultProof proof() {
            log.set("burstMessages", messages);
            log.set("gainedNs", gainedNs);
            return log.proof(
                    "the feed ran at " + parameters.factor() + " times its rate",
                    messages == 0 ? "no message came by the pacer" : "the burst was not finished");
        }
    }
}
