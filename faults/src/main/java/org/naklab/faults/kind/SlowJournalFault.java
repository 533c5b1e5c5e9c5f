package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.faults.seam.Checkpoint;

/** Slow journal: an append takes longer than it should, as on a disk that is busy with something else. */
@AutoService(FaultKind.class)
public final class SlowJournalFault implements FaultKind {
    /** Name of the {@link Checkpoint} in front of the journal's append. */
    public static final String CHECKPOINT = "journal";

    /**
     * As in a plan.
     *
     * @param delayUs added to an append, from 1 to 1,000,000
     * @param probability of an append to be slow; 1 if left out
     * @param maxAppends slow appends at most; 1,000 if left out, at most 1,000,000
     */
    public record Parameters(long delayUs, @Nullable Double probability, int maxAppends) {
        public Parameters {
            Limits.within("delayUs", delayUs, 1, 1_000_000);
            probability = Limits.probability("probability", probability == null ? 1 : probability);
            maxAppends = maxAppends == 0 ? 1_000 : Limits.within("maxAppends", maxAppends, 1, 1_000_000);
        }
    }

    @Override
    public String name() {
        return "slow-journal";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("An append to the journal takes longer")
                .with(
                        FaultParameter.duration("delayUs", 1, 1_000_000, "added to each slow append"),
                        FaultParameter.of("probability", ParameterType.PROBABILITY, "of an append to be slow")
                                .orElse("1"),
                        FaultParameter.count("maxAppends", 1, 1_000_000, "slow appends at most")
                                .orElse("1000"))
                .proof("begin and end of each slow append")
                .example("slow-journal:delay=2ms,maxAppends=100");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Checkpoint journal = site.seam(Checkpoint.class, CHECKPOINT);
        double probability = parameters.probability() == null ? 1 : parameters.probability();
        long delayNs = TimeUnit.MICROSECONDS.toNanos(parameters.delayUs());
        return new CheckpointDelay(journal, "the journal", delayNs, probability, parameters.maxAppends(), seed);
    }
}
