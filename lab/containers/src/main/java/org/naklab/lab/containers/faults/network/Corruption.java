package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Locale;
import org.naklab.faults.FaultProof;
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
}
