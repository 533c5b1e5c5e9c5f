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
        long duplicated = evidence.relay().changed().duplicated();
        String explanation = "duplicated " + duplicated + " datagrams " + place + ": the kernel gave the relay "
                + evidence.diverted() + " frames and took " + evidence.returned();
        return new FaultProof(duplicated > 0, explanation, evidence.figures(), List.of());
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
                    "network-duplication",
                    RelayedFault.PRIVILEGES,
                    Parameters.class,
                    FaultDescription.of("UDP datagrams of one direction come twice")
                            .with(
                                    DirectedFaults.DIRECTION,
                                    FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"),
                                    DirectedFaults.SEED_PARAMETER)
                            .proof("frames out of the tap minus frames in")
                            .example("network-duplication:percent=5%"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new Duplication(
                    container, parameters.direction(), parameters.percent(), DirectedFaults.orUsual(parameters.seed()));
        }
    }
}
