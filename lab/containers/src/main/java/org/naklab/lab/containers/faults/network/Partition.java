package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.description.FaultDescription;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.TypedContainerFaultKind;

/** Drops all traffic to and from the container until closed. */
final class Partition implements ContainerFault {
    private final String container;
    private final DirectedPartition incoming;
    private final DirectedPartition outgoing;

    Partition(String container) {
        this.container = container;
        incoming = new DirectedPartition(container, Direction.INCOMING);
        outgoing = beginOutgoing();
    }

    private DirectedPartition beginOutgoing() {
        try {
            return new DirectedPartition(container, Direction.OUTGOING);
        } catch (RuntimeException e) {
            incoming.close();
            throw e;
        }
    }

    @Override
    public FaultProof proof() {
        long kept = incoming.dropped();
        long held = outgoing.dropped();
        return new FaultProof(
                kept + held > 0,
                "dropped " + kept + " frames to " + container + " and " + held + " frames from it",
                Map.of("framesIncomingDropped", kept, "framesOutgoingDropped", held),
                List.of());
    }

    @Override
    public void close() {
        outgoing.close();
        incoming.close();
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<TypedContainerFaultKind.NoParameters> {
        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "network-partition",
                    TrafficRedirect.PRIVILEGES,
                    NoParameters.class,
                    FaultDescription.of("All traffic of the container is dropped in both directions")
                            .proof("frames redirected in each direction")
                            .example("network-partition:for=2s"));
        }

        @Override
        protected ContainerFault arm(String container, NoParameters parameters) {
            return new Partition(container);
        }
    }
}
