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

/** A part of the UDP datagrams of one direction is held back, so that later ones come before them. */
final class Reordering extends RelayedFault {
    private final String place;

    Reordering(String container, Direction direction, double percent, Duration hold, long seed) {
        super(
                container,
                direction,
                RelayConfig.through(direction.tap(), seed)
                        .holdingBack(
                                FaultArguments.share("reordering", percent), FaultArguments.delayNs("hold", hold)));
        place = direction.name().toLowerCase(Locale.ROOT) + " at " + container;
    }

    @Override
    FaultProof judge(RelayEvidence evidence) {
        long overtaken = evidence.relay().overtaken();
        String explanation = "held back " + evidence.relay().heldBack() + " of " + evidence.diverted() + " datagrams "
                + place + ", of which later ones overtook " + overtaken;
        return new FaultProof(overtaken > 0, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind implements ContainerFaultKind {
        /** As in a plan. */
        public record Parameters(Direction direction, double percent, long holdMs) {
            public Parameters {
                direction = direction == null ? Direction.INCOMING : direction;
                FaultArguments.percent("percent", percent);
                Limits.within("holdMs", holdMs, 1, 10_000);
            }
        }

        @Override
        public String name() {
            return "network-reordering";
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
            return FaultDescription.of("UDP datagrams of one direction are overtaken by later ones")
                    .on("")
                    .with(
                            FaultParameter.of(
                                            "direction",
                                            ParameterType.TEXT,
                                            "incoming or outgoing, as the container sees it")
                                    .orElse("incoming"),
                            FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"),
                            FaultParameter.duration("holdMs", 1, 10_000, "how long they are held back"))
                    .proof("datagrams that later ones overtook")
                    .example("network-reordering:percent=5%,hold=20ms");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            Parameters its = spec.parametersAs(Parameters.class);
            return new Reordering(
                    spec.on(), its.direction(), its.percent(), Duration.ofMillis(its.holdMs()), DirectedFaults.SEED);
        }
    }
}
