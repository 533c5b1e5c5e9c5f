package org.naklab.faults.datagram;

import com.google.auto.service.AutoService;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.FaultDescription;

/** Datagram duplication: the network delivers a datagram twice. */
@AutoService(FaultKind.class)
public final class DatagramDuplicationFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param endpoints name of the {@link DatagramSeam}; {@value DatagramSeam#NAME} if left out
     * @param select which datagrams
     *
     */
    public record Parameters(String endpoints, Selection select) {
        public Parameters {
            endpoints = endpoints == null ? DatagramSeam.NAME : endpoints;
            if (select == null) {
                throw new FaultException("select is missing");
            }
        }
    }

    @Override
    public String name() {
        return "datagram-duplication";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Datagrams arrive twice")
                .with(DatagramParameters.all())
                .proof("every duplicated datagram")
                .example("datagram-duplication:probability=1%");
    }

    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return spec.parametersAs(Parameters.class).select().direction() == Direction.OUTBOUND;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        DatagramSeam seam = site.seam(DatagramSeam.class, parameters.endpoints());
        return new DatagramFault(seam, parameters.select(), seed, "duplicated", () -> DatagramFilter.Fate.DUPLICATE);
    }
}
