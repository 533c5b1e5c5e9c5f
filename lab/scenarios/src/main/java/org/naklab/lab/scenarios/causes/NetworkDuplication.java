package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.List;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramDuplicationFault;
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

/** Datagrams come in twice, and the receiver had asked for none of them. */
@AutoService(Scenario.class)
public final class NetworkDuplication implements DisorderScenario {
    private static final double PROBABILITY = 0.01;

    @Override
    public Cause injected() {
        return Cause.NETWORK_DUPLICATION;
    }

    @Override
    public String summary() {
        return "One datagram in a hundred comes twice on the path to the service";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.random(Direction.INBOUND, Traffic.DATA, PROBABILITY);
        return FaultSpec.of(
                "datagram-duplication",
                Deployment.SERVICE,
                new DatagramDuplicationFault.Parameters(DatagramSeam.NAME, selection));
    }

    @Override
    public List<Expectation> effects(RunOutcome outcome) {
        Arrivals service = new Arrivals(outcome, Deployment.SERVICE);
        Arrivals gateway = new Arrivals(outcome, Deployment.GATEWAY);
        return List.of(
                service.repeated(),
                service.noneOvertaken(),
                service.neverAskedAgain(),
                gateway.noneRepeated(),
                gateway.neverAskedAgain());
    }
}
