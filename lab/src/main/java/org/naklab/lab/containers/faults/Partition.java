package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;

/** Nothing reaches the container and nothing leaves it, until the partition is healed by closing it. */
final class Partition implements ContainerFault {
    private static final int FIRST = 1;

    private final String container;
    private final Diversion incoming;
    private final Diversion outgoing;
    private final Diversion.Counts inAtArming;
    private final Diversion.Counts outAtArming;
    private Diversion.Counts in;
    private Diversion.Counts out;
    private boolean isClosed;

    Partition(String container) {
        this.container = container;
        incoming = new Diversion(container, Direction.INCOMING, FIRST);
        outgoing = new Diversion(container, Direction.OUTGOING, FIRST);
        inAtArming = incoming.begin(PacketFilter.everything(), Diversion.HOLE);
        outAtArming = beginOutgoing();
        in = inAtArming;
        out = outAtArming;
    }

    private Diversion.Counts beginOutgoing() {
        try {
            return outgoing.begin(PacketFilter.everything(), Diversion.HOLE);
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
                "kept " + kept + " frames from " + container + ", and " + held + " of its own from the others",
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
