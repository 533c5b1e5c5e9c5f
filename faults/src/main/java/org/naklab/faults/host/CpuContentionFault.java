package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;

/** CPU contention: busy processes on the very core that a thread, the receipt thread for instance, runs on. */
@AutoService(FaultKind.class)
public final class CpuContentionFault implements FaultKind {
    private static final long MAX_FOR_MS = 300_000;

    /**
     * As in a plan.
     *
     * @param thread name of the thread, in the process that the fault is on
     * @param burners busy processes; 1 if left out, at most 16
     * @param realTime whether they run with real-time priority, so that the thread hardly runs at all
     * @param minRunDelayMs how long the thread must have waited for the core, in all, to prove it; 5 if left out
     */
    public record Parameters(String thread, int burners, boolean realTime, long minRunDelayMs) {
        public Parameters {
            Required.text("thread", thread);
            burners = burners == 0 ? 1 : Limits.within("burners", burners, 1, 16);
            minRunDelayMs = minRunDelayMs == 0 ? 5 : Limits.within("minRunDelayMs", minRunDelayMs, 1, 60_000);
        }

        long minRunDelayNs() {
            return TimeUnit.MILLISECONDS.toNanos(minRunDelayMs);
        }
    }

    @Override
    public String name() {
        return "cpu-contention";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Busy processes on the core of one thread")
                .with(
                        FaultParameter.text("thread", "the thread that must share its core")
                                .inReplica("mds-context"),
                        FaultParameter.count("burners", 1, 16, "busy processes").orElse("1"),
                        FaultParameter.of("realTime", ParameterType.SWITCH, "whether they have real-time priority")
                                .orElse("false"),
                        FaultParameter.duration(
                                        "minRunDelayMs",
                                        1,
                                        60_000,
                                        "how long the thread must have waited, as the proof")
                                .orElse("5"))
                .proof("the kernel's run-queue delay of the thread grew by minRunDelay")
                .example("cpu-contention:burners=2,for=2s");
    }

    /** Only a real-time priority needs a right that an ordinary user does not have. */
    @Override
    public Optional<String> obstacle(FaultSpec spec) {
        return spec.parametersAs(Parameters.class).realTime() ? RealTimePriority.obstacle() : Optional.empty();
    }

    /** The threads of other processes may be on the same core. */
    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return true;
    }

    @Override
    public String privileges() {
        return "to set the thread's affinity: same user, or CAP_SYS_NICE; with realTime CAP_SYS_NICE. Linux, taskset, chrt";
    }

    @Override
    public boolean actsFromOutside() {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Limits.within("forMs of a CPU contention", spec.forMs(), 1, MAX_FOR_MS);
        Commands.require("taskset", "util-linux");
        if (parameters.realTime()) {
            Commands.require("chrt", "util-linux");
        }
        TargetProcess target = site.seam(TargetProcess.class, spec.on());
        return new CpuContention(parameters, target, site.guard(), spec.forMs());
    }
}
