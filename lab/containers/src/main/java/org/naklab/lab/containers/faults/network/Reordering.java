package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.TypedContainerFaultKind;
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
        long overtaken = evidence.relay().changed().overtaken();
        String explanation = "held back " + evidence.relay().changed().heldBack() + " of " + evidence.diverted()
                + " datagrams " + place + ", of which later ones overtook " + overtaken;
        return new FaultProof(overtaken > 0, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(
                Direction direction,
                double percent,
                long holdMs,
                @Nullable Long seed) {
            public Parameters {
                direction = Direction.orUsual(direction);
                FaultArguments.percent("percent", percent);
                Limits.within("holdMs", holdMs, 1, 10_000);
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "network-reordering",
                    RelayedFault.PRIVILEGES,
                    Parameters.class,
                    FaultDescription.of("UDP datagrams of one direction are overtaken by later ones")
                            .with(
                                    DirectedFaults.DIRECTION,
                                    FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"),
                                    FaultParameter.duration("holdMs", 1, 10_000, "how long they are held back"),
                                    DirectedFaults.SEED_PARAMETER)
                            .proof("datagrams that later ones overtook")
                            .example("network-reordering:percent=5%,hold=20ms"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new Reordering(
                    container,
                    parameters.direction(),
                    parameters.percent(),
                    Duration.ofMillis(parameters.holdMs()),
                    DirectedFaults.orUsual(parameters.seed()));
        }
    }
}
