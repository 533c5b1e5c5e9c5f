package org.naklab.faults.host;

import com.google.auto.service.AutoService;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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

/** Storm of soft interrupts: the kernel processes small datagrams on the very CPU of a thread. */
@AutoService(FaultKind.class)
public final class SoftirqStormFault implements FaultKind {
    private static final long MAX_FOR_MS = 60_000;
    private static final int MAX_BURST_MS = 150;
    private static final int MAX_BURSTS = 100;
    private static final int MAX_LEAD_MS = 30_000;

    /**
     * As in a plan.
     *
     * @param thread name of the thread, in the process that the fault is on
     * @param burstMs how long the kernel handles one soft interrupt, at least about so long, 1 to 150; 40 if left out. How costly a datagram must be for that
     *     is measured when the fault is armed
     * @param bursts one after the other, 1 to 100; 1 if left out
     * @param leadMs the first burst begins so long after the fault was armed, or later if the preparation takes longer, 0 to 30,000
     */
    public record Parameters(String thread, int burstMs, int bursts, int leadMs) {
        public Parameters {
            Required.text("thread", thread);
            burstMs = burstMs == 0 ? 40 : Limits.within("burstMs", burstMs, 1, MAX_BURST_MS);
            bursts = bursts == 0 ? 1 : Limits.within("bursts", bursts, 1, MAX_BURSTS);
            Limits.within("leadMs", leadMs, 0, MAX_LEAD_MS);
        }

        long burstNs() {
            return TimeUnit.MILLISECONDS.toNanos(burstMs);
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
                        FaultParameter.duration("burstMs", 1, MAX_BURST_MS, "length of one soft interrupt")
                                .orElse("40"),
                        FaultParameter.count("bursts", 1, MAX_BURSTS, "one after the other")
                                .orElse("1"),
                        FaultParameter.duration(
                                        "leadMs",
                                        0,
                                        MAX_LEAD_MS,
                                        "from arming to the first burst, if it is prepared by then")
                                .orElse("0"))
                .proof("the CPU processed the datagrams of a burst, in half of its length or more: its line of"
                        + " /proc/net/softnet_stat and NET_RX of /proc/softirqs grew")
                .example("softirq-storm:burst=40ms,for=5s");
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
