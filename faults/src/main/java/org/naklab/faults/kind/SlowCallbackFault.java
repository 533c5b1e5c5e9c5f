package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.faults.seam.Checkpoint;

/** Slow callback: the handler of received messages takes longer than it should. */
@AutoService(FaultKind.class)
public final class SlowCallbackFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param callback name of the {@link Checkpoint} in front of the handler
     * @param delayUs added to a call, from 1 to 1,000,000
     * @param probability of a call to be slow; 1 if left out
     * @param maxCalls slow calls at most; 1,000 if left out, at most 1,000,000
     */
    public record Parameters(
            String callback, long delayUs, @Nullable Double probability, int maxCalls) {
        public Parameters {
            Required.text("callback", callback);
            Limits.within("delayUs", delayUs, 1, 1_000_000);
            probability = Limits.probability("probability", probability == null ? 1 : probability);
            maxCalls = maxCalls == 0 ? 1_000 : Limits.within("maxCalls", maxCalls, 1, 1_000_000);
        }
    }

    @Override
    public String name() {
        return "slow-callback";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The handler of received messages takes longer")
                .with(
                        FaultParameter.text("callback", "the checkpoint before the handler")
                                .inReplica("OrderBookEvents"),
                        FaultParameter.duration("delayUs", 1, 1_000_000, "added to each slow call"),
                        FaultParameter.of("probability", ParameterType.PROBABILITY, "of a call to be slow")
                                .orElse("1"),
                        FaultParameter.count("maxCalls", 1, 1_000_000, "slow calls at most")
                                .orElse("1000"))
                .proof("begin and end of each slow call")
                .example("slow-callback:delay=150ms,maxCalls=1@+3s");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Checkpoint callback = site.seam(Checkpoint.class, parameters.callback());
        double probability = parameters.probability() == null ? 1 : parameters.probability();
        long delayNs = TimeUnit.MICROSECONDS.toNanos(parameters.delayUs());
        String place = "the callback " + parameters.callback();
        return new CheckpointDelay(callback, place, delayNs, probability, parameters.maxCalls(), seed);
    }
}
