package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.TypedContainerFaultKind;
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
        long corrupted = evidence.relay().changed().corrupted();
        boolean hasFired = direction == Direction.OUTGOING ? corrupted > 0 : evidence.badChecksums() > 0;
        String explanation = "flipped a bit in " + corrupted + " of " + evidence.diverted() + " datagrams " + place
                + (direction == Direction.OUTGOING
                        ? ""
                        : "; its kernel dropped " + evidence.badChecksums() + " for a bad checksum");
        return new FaultProof(hasFired, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(
                Direction direction,
                double percent,
                @Nullable Long seed) {
            public Parameters {
                direction = Direction.orUsual(direction);
                FaultArguments.percent("percent", percent);
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "network-corruption",
                    RelayedFault.PRIVILEGES,
                    Parameters.class,
                    FaultDescription.of(
                                    "UDP datagrams of one direction have a bit flipped, so that the receiving kernel drops them")
                            .with(
                                    DirectedFaults.DIRECTION,
                                    FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"),
                                    DirectedFaults.SEED_PARAMETER)
                            .proof("bits flipped, and bad checksums that the kernel of the container counted")
                            .example("network-corruption:percent=5%"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new Corruption(
                    container, parameters.direction(), parameters.percent(), DirectedFaults.orUsual(parameters.seed()));
        }
    }
}
