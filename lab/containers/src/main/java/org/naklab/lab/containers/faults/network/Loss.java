package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.FaultArguments;

/** A part of the UDP datagrams of one direction disappears. */
final class Loss implements ContainerFault {
    /** Preferences of the filters, before that of a relay: frames that return from there are not lost again. */
    private static final AtomicInteger PREFERENCES = new AtomicInteger(100);

    private final String container;
    private final Direction direction;
    private final TrafficRedirect diversion;
    private final TrafficRedirect.Counts atArming;
    private TrafficRedirect.Counts latest;
    private boolean isClosed;

    Loss(String container, Direction direction, double percent) {
        this.container = container;
        this.direction = direction;
        PacketFilter filter = PacketFilter.datagrams(FaultArguments.share("loss", percent));
        diversion = new TrafficRedirect(container, direction, PREFERENCES.getAndIncrement());
        atArming = diversion.begin(filter, TrafficRedirect.HOLE);
        latest = atArming;
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            latest = diversion.read(latest);
        }
        TrafficRedirect.Counts counts = latest.since(atArming);
        String explanation = "dropped " + counts.diverted() + " of " + counts.offered() + " frames "
                + direction.name().toLowerCase(Locale.ROOT) + " at " + container;
        return new FaultProof(
                counts.diverted() > 0,
                explanation,
                Map.of("datagramsDropped", counts.diverted(), "framesOffered", counts.offered()),
                List.of());
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            latest = diversion.end(latest);
            isClosed = true;
        }
    }
}
