package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.util.Optional;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Machine stall: for a while no processor runs anything but busy processes of real-time priority. */
@AutoService(FaultKind.class)
public final class MachineStallFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param stallMs how long, from 10 to 500: the kernel gives ordinary threads a share of each second
     */
    public record Parameters(long stallMs) {
        public Parameters {
            Limits.within("stallMs", stallMs, 10, 500);
        }
    }

    @Override
    public String name() {
        return "machine-stall";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("No processor runs anything but busy processes of real-time priority")
                .on("lab")
                .with(FaultParameter.duration("stallMs", 10, 500, "length of the stall"))
                .proof("a thread that is due every millisecond did not run for at least half of the stall")
                .example("machine-stall:stall=150ms");
    }

    @Override
    public Optional<String> obstacle() {
        return RealTimePriority.obstacle();
    }

    @Override
    public String privileges() {
        return "CAP_SYS_NICE. Linux, taskset and chrt (util-linux), timeout (coreutils)";
    }

    /** It takes from all processes of the machine. */
    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Commands.require("taskset", "util-linux");
        Commands.require("chrt", "util-linux");
        Commands.require("timeout", "coreutils");
        return new MachineStall(parameters.stallMs());
    }
}
