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

/**
 * A part of the UDP datagrams of one direction has a bit of the payload flipped, its checksum left as it was. The receiving kernel
 * drops them for that checksum, so that a receiver sees loss, never wrong content.
 */
final class Corruption extends RelayedFault {
    private final Direction direction;
    private final String place;

    Corruption(String container, Direction direction, double percent, long seed) {
        super(
                container,
                direction,
                RelayConfig.through(direction.tap(), seed).corrupting(FaultArguments.share("corruption", percent)));
        this.direction = direction;
        place = direction.name().toLowerCase(Locale.ROOT) + " at " + container;
    }

    /** Outgoing, it is other containers' kernels that refuse; incoming, this one's, and a bit without refusal is no fault. */
    @Override
    FaultProof judge(RelayEvidence evidence) {
        long corrupted = evidence.relay().corrupted();
        boolean hasFired = direction == Direction.OUTGOING ? corrupted > 0 : evidence.badChecksums() > 0;
        String explanation = "flipped a bit in " + corrupted + " of " + evidence.diverted() + " datagrams " + place
                + (direction == Direction.OUTGOING
                        ? ""
                        : "; its kernel dropped " + evidence.badChecksums() + " for a bad checksum");
        return new FaultProof(hasFired, explanation, evidence.figures(), List.of());
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
            return "network-corruption";
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
            return FaultDescription.of(
                            "UDP datagrams of one direction have a bit flipped, so that the receiving kernel drops them")
                    .on("")
                    .with(
                            FaultParameter.of(
                                            "direction",
                                            ParameterType.TEXT,
                                            "incoming or outgoing, as the container sees it")
                                    .orElse("incoming"),
                            FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"))
                    .proof("bits flipped, and bad checksums that the kernel of the container counted")
                    .example("network-corruption:percent=5%");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            Parameters its = spec.parametersAs(Parameters.class);
            return new Corruption(spec.on(), its.direction(), its.percent(), DirectedFaults.SEED);
        }
    }
}
