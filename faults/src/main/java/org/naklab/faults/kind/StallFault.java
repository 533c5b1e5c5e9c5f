package org.naklab.faults.kind;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.seam.Checkpoint;

/** Stall: the duty cycle of a named thread stands still for a given time, once or a few times. */
@AutoService(FaultKind.class)
public final class StallFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param thread name of the thread, and of the {@link Checkpoint} that its duty cycle passes
     * @param stallMs from 1 to 10,000
     * @param times how many duty cycles, one after the other; 1 if left out, at most 1,000
     */
    public record Parameters(String thread, long stallMs, int times) {
        public Parameters {
            Required.text("thread", thread);
            Limits.within("stallMs", stallMs, 1, 10_000);
            times = times == 0 ? 1 : Limits.within("times", times, 1, 1_000);
        }
    }

    @Override
    public String name() {
        return "stall";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("The duty cycle of a thread stalls")
                .with(
                        FaultParameter.text(
                                        "thread",
                                        "the checkpoint in the thread's duty cycle; context-yield is passed before a yield")
                                .inReplica("context"),
                        FaultParameter.duration("stallMs", 1, 10_000, "length of each stall"),
                        FaultParameter.count("times", 1, 1_000, "consecutive duty cycles that stall")
                                .orElse("1"))
                .proof("begin and end of each stall, measured on the thread")
                .example("stall:stall=150ms@second-boundary+400ms");
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Checkpoint dutyCycle = site.seam(Checkpoint.class, parameters.thread());
        String place = "the duty cycle of " + parameters.thread();
        long stallNs = TimeUnit.MILLISECONDS.toNanos(parameters.stallMs());
        return new CheckpointDelay(dutyCycle, place, stallNs, 1, parameters.times(), seed);
    }
}
