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
