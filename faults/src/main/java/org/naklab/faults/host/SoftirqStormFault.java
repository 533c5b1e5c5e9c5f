package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.util.Optional;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Storm of soft interrupts: the kernel processes small datagrams to a closed port on the very CPU of a thread. */
@AutoService(FaultKind.class)
public final class SoftirqStormFault implements FaultKind {
    private static final long MAX_FOR_MS = 60_000;
    private static final int MAX_DATAGRAMS = 1_000;

    /**
     * As in a plan.
     *
     * @param thread name of the thread, in the process that the fault is on
     * @param datagrams how many are sent, 1 to 1,000; 128 if left out
     * @param filters packet filters that each datagram passes, 1 to 20,000; 4,000 if left out. With them, the kernel needs about 1 ms for a datagram
     */
    public record Parameters(String thread, int datagrams, int filters) {
        public Parameters {
            Required.text("thread", thread);
            datagrams = datagrams == 0 ? 128 : Limits.within("datagrams", datagrams, 1, MAX_DATAGRAMS);
            filters = filters == 0 ? 4_000 : Limits.within("filters", filters, 1, 20_000);
        }
    }

    @Override
    public String name() {
        return "softirq-storm";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Soft interrupts of the network on the CPU of one thread")
                .with(
                        FaultParameter.text("thread", "the thread whose CPU processes the datagrams")
                                .inReplica("mds-context"),
                        FaultParameter.count("datagrams", 1, MAX_DATAGRAMS, "datagrams to a closed port")
                                .orElse("128"),
                        FaultParameter.count("filters", 1, 20_000, "packet filters that each datagram passes")
                                .orElse("4000"))
                .proof(
                        "the CPU processed the datagrams: its line of /proc/net/softnet_stat and NET_RX of /proc/softirqs grew")
                .example("softirq-storm:datagrams=128,for=3s");
    }

    @Override
    public Optional<String> obstacle() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return Optional.of("a storm of soft interrupts needs a second CPU, from which the datagrams are sent");
        }
        try {
            requireTools();
            String ignored = Commands.run("unshare", "-n", "-m", "ip", "link", "set", "lo", "up");
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of(
                    "a network namespace of its own needs CAP_SYS_ADMIN, and ip and tc (iproute2): run as root, with sudo");
        }
    }

    private static void requireTools() {
        Commands.require("taskset", "util-linux");
        Commands.require("unshare", "util-linux");
        Commands.require("ip", "iproute2");
        Commands.require("tc", "iproute2");
    }

    @Override
    public String privileges() {
        return "CAP_SYS_ADMIN and CAP_NET_ADMIN, for a network namespace; to set the thread's affinity: same user, or CAP_SYS_NICE."
                + " Linux, taskset, unshare, ip, tc";
    }

    @Override
    public boolean actsFromOutside() {
        return true;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        Limits.within("forMs of a storm of soft interrupts", spec.forMs(), 1, MAX_FOR_MS);
        requireTools();
        TargetProcess target = site.seam(TargetProcess.class, spec.on());
        return new SoftirqStorm(parameters, target, site.guard());
    }
}
