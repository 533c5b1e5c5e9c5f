package org.naklab.lab.containers.faults.network;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
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

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind implements ContainerFaultKind {
        /** As in a plan. */
        public record Parameters(Direction direction, double percent) {
            public Parameters {
                direction = direction == null ? Direction.INCOMING : direction;
                FaultArguments.percent("percent", percent);
            }
        }

        @Override
        public String name() {
            return "network-loss";
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
            return FaultDescription.of("UDP datagrams of one direction are dropped")
                    .on("")
                    .with(
                            FaultParameter.of(
                                            "direction",
                                            ParameterType.TEXT,
                                            "incoming or outgoing, as the container sees it")
                                    .orElse("incoming"),
                            FaultParameter.of("percent", ParameterType.PERCENT, "of the datagrams"))
                    .proof("packets that the filter of the kernel redirected")
                    .example("network-loss:percent=30%");
        }

        @Override
        public ContainerFault arm(FaultSpec spec) {
            Parameters its = spec.parametersAs(Parameters.class);
            return new Loss(spec.on(), its.direction(), its.percent());
        }
    }
}
