package org.naklab.faults.datagram;

import com.google.auto.service.AutoService;
import java.util.SplittableRandom;
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

/** Datagram delay: a datagram takes longer, by the same time or by one that varies. */
@AutoService(FaultKind.class)
public final class DatagramDelayFault implements FaultKind {
    /**
     * As in a plan.
     *
     * @param endpoints name of the {@link DatagramSeam}; {@value DatagramSeam#NAME} if left out
     * @param select which datagrams
     * @param delayUs from 1 to 1,000,000
     * @param jitterUs up to so much longer, evenly distributed; 0 if left out, at most 1,000,000
     */
    public record Parameters(String endpoints, Selection select, long delayUs, long jitterUs) {
        public Parameters {
            endpoints = endpoints == null ? DatagramSeam.NAME : endpoints;
            if (select == null) {
                throw new FaultException("select is missing");
            }
            Limits.within("delayUs", delayUs, 1, 1_000_000);
            Limits.within("jitterUs", jitterUs, 0, 1_000_000);
        }
    }

    @Override
    public String name() {
        return "datagram-delay";
    }

    @Override
    public Class<Parameters> parameterType() {
        return Parameters.class;
    }

    @Override
    public FaultDescription description() {
        return FaultDescription.of("Datagrams take longer")
                .with(DatagramParameters.all())
                .with(
                        FaultParameter.duration("delayUs", 1, 1_000_000, "added to each"),
                        FaultParameter.duration(
                                        "jitterUs",
                                        0,
                                        1_000_000,
                                        "additional delay from 0 to this, which also reorders")
                                .orElse("0"))
                .proof("every delayed datagram")
                .example("datagram-delay:probability=100%,delay=500us,jitter=200us");
    }

    @Override
    public boolean reachesOthers(FaultSpec spec) {
        return spec.parametersAs(Parameters.class).select().direction() == Direction.OUTBOUND;
    }

    @Override
    public Fault create(FaultSpec spec, FaultSite site, long seed) {
        Parameters parameters = spec.parametersAs(Parameters.class);
        DatagramSeam seam = site.seam(DatagramSeam.class, parameters.endpoints());
        SplittableRandom random = new SplittableRandom(~seed);
        return new DatagramFault(seam, parameters.select(), seed, "delayed", () -> {
            long delayUs = parameters.delayUs() + random.nextLong(parameters.jitterUs() + 1);
            return Fate.hold(TimeUnit.MICROSECONDS.toNanos(delayUs), 0);
        });
    }
}
