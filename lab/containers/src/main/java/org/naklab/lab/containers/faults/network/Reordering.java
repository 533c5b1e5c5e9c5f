package org.naklab.lab.containers.faults.network;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
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
}
