package org.naklab.lab.containers.faults.network;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;

/** Drops all traffic to and from the container until closed. */
final class Partition implements ContainerFault {
    private static final int FIRST = 1;

    private final String container;
    private final TrafficRedirect incoming;
    private final TrafficRedirect outgoing;
    private final TrafficRedirect.Counts inAtArming;
    private final TrafficRedirect.Counts outAtArming;
    private TrafficRedirect.Counts in;
    private TrafficRedirect.Counts out;
    private boolean isClosed;

    Partition(String container) {
        this.container = container;
        incoming = new TrafficRedirect(container, Direction.INCOMING, FIRST);
        outgoing = new TrafficRedirect(container, Direction.OUTGOING, FIRST);
        inAtArming = incoming.begin(PacketFilter.everything(), TrafficRedirect.HOLE);
        outAtArming = beginOutgoing();
        in = inAtArming;
        out = outAtArming;
    }

    private TrafficRedirect.Counts beginOutgoing() {
        try {
            return outgoing.begin(PacketFilter.everything(), TrafficRedirect.HOLE);
        } catch (RuntimeException e) {
            incoming.end(inAtArming);
            throw e;
        }
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            in = incoming.read(in);
            out = outgoing.read(out);
        }
        long kept = in.since(inAtArming).diverted();
        long held = out.since(outAtArming).diverted();
        return new FaultProof(
                kept + held > 0,
                "dropped " + kept + " frames to " + container + " and " + held + " frames from it",
                Map.of("framesIncomingDropped", kept, "framesOutgoingDropped", held),
                List.of());
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            out = outgoing.end(out);
            in = incoming.end(in);
            isClosed = true;
        }
    }
}
