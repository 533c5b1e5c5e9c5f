package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
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
}
