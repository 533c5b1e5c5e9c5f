package org.naklab.lab.containers.faults.network;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
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
}
