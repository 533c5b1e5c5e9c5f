package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.List;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramReorderingFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.faults.datagram.Traffic;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** Datagrams are overtaken by those behind them, for less time than the receiver waits before it asks again: nothing is sent twice. */
@AutoService(Scenario.class)
public final class NetworkReordering implements DisorderScenario {
    private static final double PROBABILITY = 0.01;
    private static final int BEHIND = 5;
    /** Less than half of the transport's shortest back-off before a NAK. */
    private static final int MAX_HOLD_MS = 10;

    @Override
    public Cause injected() {
        return Cause.NETWORK_REORDERING;
    }

    @Override
    public String summary() {
        return "One datagram in a hundred is overtaken by five on the path to the service";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.random(Direction.INBOUND, Traffic.DATA, PROBABILITY);
        return FaultSpec.of(
                "datagram-reordering",
                Deployment.SERVICE,
                new DatagramReorderingFault.Parameters(DatagramSeam.NAME, selection, BEHIND, MAX_HOLD_MS));
    }

    @Override
    public List<Expectation> effects(RunOutcome outcome) {
        Arrivals service = new Arrivals(outcome, Deployment.SERVICE);
        Arrivals gateway = new Arrivals(outcome, Deployment.GATEWAY);
        return List.of(
                service.overtaken(),
                service.noneRepeated(),
                service.neverAskedAgain(),
                gateway.noneOvertaken(),
                gateway.neverAskedAgain());
    }
}
