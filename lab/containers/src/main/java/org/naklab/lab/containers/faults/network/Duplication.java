package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.relay.RelayConfig;

/** A part of the UDP datagrams of one direction comes twice. */
final class Duplication extends RelayedFault {
    private final String place;

    Duplication(String container, Direction direction, double percent, long seed) {
        super(
                container,
                direction,
                RelayConfig.through(direction.tap(), seed).duplicating(FaultArguments.share("duplication", percent)));
        place = direction.name().toLowerCase(Locale.ROOT) + " at " + container;
    }

    @Override
    FaultProof judge(RelayEvidence evidence) {
        long duplicated = evidence.relay().duplicated();
        String explanation = "duplicated " + duplicated + " datagrams " + place + ": the kernel gave the relay "
                + evidence.diverted() + " frames and took " + evidence.returned();
        return new FaultProof(duplicated > 0, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind implements ContainerFaultKind {
        /** As in a plan. */
        public record Parameters(Direction direction, double percent) {
            public Parameters {
                direction = direction == null ? Direction.INCOMING : direction;
                FaultArguments.percent("percent", percent);
            }
        }

        @Override
        public String name() {
            return "network-duplication";
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
            return FaultDescription.of("UDP datagrams of one direction come twice")
                    .on("")
                    .with(
                            FaultParameter.of(
                                            "direction",
                                            ParameterType.TEXT,
                                            "incoming or outgoing, as the container sees it")
                                    .orElse("incoming"),
                            FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"))
                    .proof("frames out of the tap minus frames in")
                    .example("network-duplication:percent=5%");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            Parameters its = spec.parametersAs(Parameters.class);
            return new Duplication(spec.on(), its.direction(), its.percent(), DirectedFaults.SEED);
        }
    }
}
