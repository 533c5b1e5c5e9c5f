package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Gap;
import org.naklab.faults.datagram.Selection;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** Datagrams are lost before they reach the service: gaps without a drop or a stall. */
@AutoService(Scenario.class)
public final class NetworkLoss implements CauseScenario {
    /** The lost datagrams: enough that a receiver delayed by a busy machine still misses datagrams that it had room for. */
    private static final Gap[] LOST = {
        new Gap(500, 50),
        new Gap(2_000, 20),
        new Gap(3_500, 20),
        new Gap(5_000, 50),
        new Gap(7_500, 20),
        new Gap(10_000, 20)
    };

    /** Returns the places of the flow at which datagrams are lost. */
    static Gap[] places() {
        return LOST.clone();
    }

    @Override
    public Cause injected() {
        return Cause.NETWORK_LOSS;
    }

    @Override
    public String summary() {
        return "Datagrams are lost at six places on the path to the service";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.exact(Direction.INBOUND, LOST);
        return FaultSpec.of(
                "datagram-loss", Deployment.SERVICE, new DatagramLossFault.Parameters(DatagramSeam.NAME, selection));
    }
}
