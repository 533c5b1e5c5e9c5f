package org.naklab.lab.scenario;

import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Gap;
import org.naklab.faults.datagram.Selection;
import org.naklab.lab.diagnose.Cause;

/** Datagrams are lost before they reach the service: gaps without a drop or a stall. */
public final class NetworkLoss implements CauseScenario {
    private static final int FIRST = 500;
    private static final int LOST = 50;

    @Override
    public Cause injected() {
        return Cause.NETWORK_LOSS;
    }

    @Override
    public String summary() {
        return "Fifty datagrams are lost on the way to the service";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.exact(Direction.INBOUND, new Gap(FIRST, LOST));
        return FaultSpec.of(
                "datagram-loss", Deployment.SERVICE, new DatagramLossFault.Parameters(DatagramSeam.NAME, selection));
    }
}
