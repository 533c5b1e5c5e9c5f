package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.TypedContainerFaultKind;

/** A part of the UDP datagrams of one direction disappears; which, the kernel's random numbers decide. */
final class Loss implements ContainerFault {
    /** Preferences of the filters, before that of a relay: frames that return from there are not lost again. */
    private static final AtomicInteger PREFERENCES = new AtomicInteger(100);

    private final String container;
    private final Direction direction;
    private final Discarding discarding;

    Loss(String container, Direction direction, double percent) {
        this.container = container;
        this.direction = direction;
        PacketFilter filter = PacketFilter.datagrams(FaultArguments.share("loss", percent));
        discarding = new Discarding(container, direction, PREFERENCES.getAndIncrement(), filter);
    }

    @Override
    public FaultProof proof() {
        TrafficRedirect.Counts counts = discarding.counts();
        String explanation = "dropped " + counts.diverted() + " of " + counts.offered() + " frames "
                + direction.name().toLowerCase(Locale.ROOT) + " at " + container;
        return new FaultProof(
                counts.diverted() > 0,
                explanation,
                Map.of("datagramsDropped", counts.diverted(), "framesOffered", counts.offered()),
                List.of());
    }

    @Override
    public void close() {
        discarding.close();
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
                    "network-loss",
                    TrafficRedirect.PRIVILEGES + "; with a seed also /dev/net/tun",
                    Parameters.class,
                    FaultDescription.of("UDP datagrams of one direction are dropped")
                            .with(
                                    DirectedFaults.DIRECTION,
                                    FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"),
                                    FaultParameter.of(
                                                    "seed",
                                                    ParameterType.COUNT,
                                                    "the same loses the same datagrams; without one, the kernel chooses")
                                            .optional())
                            .proof("packets that the filter of the kernel redirected; with a seed, the lost datagrams")
                            .example("network-loss:percent=30%,seed=7"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return DirectedFaults.loss(container, parameters.direction(), parameters.percent(), parameters.seed());
        }
    }
}
