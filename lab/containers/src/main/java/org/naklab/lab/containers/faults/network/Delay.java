package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.relay.RelayConfig;

/** Each UDP datagram of one direction comes later by the same time. */
final class Delay extends RelayedFault {
    private final String place;
    private final long delayNs;

    Delay(String container, Direction direction, Duration delay, long seed) {
        super(
                container,
                direction,
                RelayConfig.through(direction.tap(), seed).delaying(FaultArguments.delayNs("delay", delay)));
        delayNs = delay.toNanos();
        place = direction.name().toLowerCase(Locale.ROOT) + " at " + container;
    }

    @Override
    FaultProof judge(RelayEvidence evidence) {
        String explanation = String.format(
                Locale.ROOT,
                "held %d of %d datagrams %s for %.1f to %.1f ms",
                evidence.returned(),
                evidence.diverted(),
                place,
                evidence.relay().minDelayNs() / 1e6,
                evidence.relay().maxDelayNs() / 1e6);
        boolean hasFired =
                delayNs > 0 && evidence.returned() > 0 && evidence.relay().minDelayNs() >= delayNs;
        return new FaultProof(hasFired, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind implements ContainerFaultKind {
        /** As in a plan. */
        public record Parameters(Direction direction, long delayMs) {
            public Parameters {
                direction = direction == null ? Direction.INCOMING : direction;
                Limits.within("delayMs", delayMs, 1, 10_000);
            }
        }

        @Override
        public String name() {
            return "network-delay";
        }

        @Override
        public Class<Parameters> parameterType() {
            return Parameters.class;
        }

        @Override
        public String privileges() {
            return "root of the engine; Linux, with cls_bpf, act_mirred, sch_ingress and veth, and /dev/net/tun";
        }

        @Override
        public FaultDescription description() {
            return FaultDescription.of("UDP datagrams of one direction come later")
                    .on("")
                    .with(
                            FaultParameter.of(
                                            "direction",
                                            ParameterType.TEXT,
                                            "incoming or outgoing, as the container sees it")
                                    .orElse("incoming"),
                            FaultParameter.duration("delayMs", 1, 10_000, "of each datagram"))
                    .proof("frames in and out of the tap, and the shortest delay")
                    .example("network-delay:delay=50ms");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            Parameters its = spec.parametersAs(Parameters.class);
            return new Delay(spec.on(), its.direction(), Duration.ofMillis(its.delayMs()), DirectedFaults.SEED);
        }
    }
}
