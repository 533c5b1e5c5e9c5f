package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.TypedContainerFaultKind;
import org.naklab.lab.containers.relay.RelayConfig;
import org.naklab.lab.core.Units;

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
                evidence.relay().delays().minDelayNs() / Units.NS_PER_MS,
                evidence.relay().delays().maxDelayNs() / Units.NS_PER_MS);
        boolean hasFired = delayNs > 0
                && evidence.returned() > 0
                && evidence.relay().delays().minDelayNs() >= delayNs;
        return new FaultProof(hasFired, explanation, evidence.figures(), List.of());
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(Direction direction, long delayMs) {
            public Parameters {
                direction = Direction.orUsual(direction);
                Limits.within("delayMs", delayMs, 1, 10_000);
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "network-delay",
                    RelayedFault.PRIVILEGES,
                    Parameters.class,
                    FaultDescription.of("UDP datagrams of one direction come later")
                            .with(
                                    DirectedFaults.DIRECTION,
                                    FaultParameter.duration("delayMs", 1, 10_000, "of each datagram"))
                            .proof("frames in and out of the tap, and the shortest delay")
                            .example("network-delay:delay=50ms"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new Delay(
                    container, parameters.direction(), Duration.ofMillis(parameters.delayMs()), DirectedFaults.SEED);
        }
    }
}
