package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Firing;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.relay.RelayConfig;
import org.naklab.lab.containers.relay.RelayReport;

/** A part of the UDP datagrams of one direction disappears in a relay; a seed decides which. */
final class SeededLoss extends RelayedFault {
    private final String place;
    private final long seed;

    SeededLoss(String container, Direction direction, double percent, long seed) {
        super(
                container,
                direction,
                RelayConfig.through(direction.tap(), seed).losing(FaultArguments.share("loss", percent)));
        place = direction.name().toLowerCase(Locale.ROOT) + " at " + container;
        this.seed = seed;
    }

    @Override
    FaultProof judge(RelayEvidence evidence) {
        RelayReport relay = evidence.relay();
        String explanation = "dropped " + relay.losses().lost() + " of " + evidence.diverted() + " datagrams " + place
                + ", chosen by seed " + seed;
        if (evidence.overrun() > 0) {
            explanation += "; the relay had no room for " + evidence.overrun() + " others, which no seed chose";
        }
        List<Firing> firings = relay.losses().firstLost().stream()
                .map(lost ->
                        new Firing(lost.atNs(), lost.atNs(), "datagram " + lost.number() + " to " + lost.destination()))
                .toList();
        return new FaultProof(relay.losses().lost() > 0, explanation, evidence.figures(), firings);
    }
}
