package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Storm of messages between pairs of threads of a process of its own, as hackbench makes it: the kernel wakes and switches threads all the time. */
@AutoService(FaultKind.class)
public final class IpcStormFault implements FaultKind {
    private static final long MAX_FOR_MS = 60_000;
    private static final int MAX_PAIRS = 64;

    /**
     * As in a plan.
     *
     * @param pairs of threads, each with two pipes, 1 to 64; 8 if left out
     * @param minSwitches how many context switches prove it; 1,000 if left out
     */
    public record Parameters(int pairs, long minSwitches) {
        public Parameters {
            pairs = pairs == 0 ? 8 : Limits.within("pairs", pairs, 1, MAX_PAIRS);
            minSwitches = minSwitches == 0 ? 1_000 : Limits.within("minSwitches", minSwitches, 1, 1_000_000);
        }
    }

    @Override
    public String name() {
        return "ipc-storm";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Pairs of threads that send each other messages through pipes")
                .on("lab")
                .with(
                        FaultParameter.count("pairs", 1, MAX_PAIRS, "pairs of threads")
                                .orElse("8"),
                        FaultParameter.count(
                                        "minSwitches", 1, 1_000_000, "context switches of these threads, as the proof")
                                .orElse("1000"))
                .proof("the kernel counted minSwitches context switches of these threads")
                .example("ipc-storm:pairs=8,for=2s");
    }

    @Override
    public String privileges() {
        return "none. Linux";
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Limits.within("forMs of a storm of messages", spec.forMs(), 1, MAX_FOR_MS);
        return new IpcStorm(parameters, site.guard(), spec.forMs());
    }
}
