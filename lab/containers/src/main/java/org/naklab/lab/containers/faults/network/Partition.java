package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;

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

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind implements ContainerFaultKind {
        /** As in a plan. */
        public record Parameters() {}

        @Override
        public String name() {
            return "network-partition";
        }

        @Override
        public Class<Parameters> parameterType() {
            return Parameters.class;
        }

        @Override
        public String privileges() {
            return "root of the engine; Linux, with cls_bpf, act_mirred, sch_ingress and veth";
        }

        @Override
        public FaultDescription description() {
            return FaultDescription.of("All traffic of the container is dropped in both directions")
                    .on("")
                    .proof("frames redirected in each direction")
                    .example("network-partition:for=2s");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            spec.parametersAs(Parameters.class);
            return new Partition(spec.on());
        }
    }
}
