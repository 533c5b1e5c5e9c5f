package org.naklab.faults.datagram;

import com.google.auto.service.AutoService;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.Limits;
import org.naklab.faults.datagram.DatagramFilter.Fate;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;

/** Datagram reordering: a datagram is overtaken by those behind it. */
@AutoService(FaultKind.class)
public final class DatagramReorderingFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param endpoints name of the {@link DatagramSeam}; {@value DatagramSeam#NAME} if left out
     * @param select which datagrams
     * @param behind how many datagrams overtake it; 1 if left out, at most 64
     * @param maxHoldMs the longest that it waits for them; 10 if left out, at most 1,000
     */
    public record Parameters(String endpoints, Selection select, int behind, int maxHoldMs) {
        public Parameters {
            endpoints = endpoints == null ? DatagramSeam.NAME : endpoints;
            if (select == null) {
                throw new FaultException("select is missing");
            }
            behind = behind == 0 ? 1 : Limits.within("behind", behind, 1, 64);
            maxHoldMs = maxHoldMs == 0 ? 10 : Limits.within("maxHoldMs", maxHoldMs, 1, 1_000);
        }
    }

    @Override
    public String name() {
        return "datagram-reordering";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Datagrams are overtaken by those behind them")
                .with(DatagramParameters.all())
                .with(
                        FaultParameter.count("behind", 1, 64, "how many datagrams overtake it")
                                .orElse("1"),
                        FaultParameter.duration("maxHoldMs", 1, 1_000, "longest time that it waits for them")
                                .orElse("10"))
                .proof("every datagram that was held back")
                .example("datagram-reordering:probability=1%,behind=3");
    }

    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return spec.parametersAs(Parameters.class).select().direction() == Direction.OUTBOUND;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        DatagramSeam seam = site.seam(DatagramSeam.class, parameters.endpoints());
        Fate fate = Fate.hold(TimeUnit.MILLISECONDS.toNanos(parameters.maxHoldMs()), parameters.behind());
        return new DatagramFault(seam, parameters.select(), seed, "held back", () -> fate);
    }
}
