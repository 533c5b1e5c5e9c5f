package org.naklab.lab.containers.faults.network;

import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.relay.RelayConfig;

/** A fault that a relay works on the UDP datagrams of one direction. */
abstract class RelayedFault implements ContainerFault {
    static final String PRIVILEGES = TrafficRedirect.PRIVILEGES + ", and /dev/net/tun";

    private final TrafficRedirect diversion;
    private final Relay relay;
    private final long badChecksumsAtArming;
    private TrafficRedirect.Counts counts;
    private RelayEvidence latest;
    private boolean isClosed;

    RelayedFault(String container, Direction direction, RelayConfig config) {
        diversion = new TrafficRedirect(container, direction, Relay.PREFERENCE);
        relay = Relay.start(container, direction, config);
        try {
            latest = relay.evidence(RelayEvidence.none());
            badChecksumsAtArming = latest.badChecksums();
            counts = diversion.begin(PacketFilter.datagrams(1), direction.tap());
        } catch (RuntimeException e) {
            relay.close();
            throw e;
        }
    }

    /** Says what the evidence means; {@link #proof()} adds what the relay itself adds to the latency. */
    abstract FaultProof judge(RelayEvidence evidence);

    @Override
    public final synchronized FaultProof proof() {
        if (!isClosed) {
            latest = relay.evidence(latest);
        }
        RelayEvidence evidence = latest.since(badChecksumsAtArming);
        FaultProof proof = judge(evidence);
        return new FaultProof(proof.fired(), proof.explanation() + evidence.added(), proof.figures(), proof.firings());
    }

    @Override
    public final synchronized void close() {
        if (!isClosed) {
            latest = relay.evidence(latest);
            counts = diversion.end(counts);
            relay.close();
            isClosed = true;
        }
    }
}
