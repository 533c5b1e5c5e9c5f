package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramDelayFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;

/** Datagrams take longer than the receiver waits before it asks for them again: each comes in twice, and nothing is lost. */
@AutoService(Scenario.class)
public final class NetworkDelay implements CauseScenario {
    /** Twice the longest back-off of the transport before a NAK. */
    private static final long DELAY_US = TimeUnit.MILLISECONDS.toMicros(150);

    @Override
    public Cause injected() {
        return Cause.NETWORK_DELAY;
    }

    @Override
    public String summary() {
        return "Datagrams are late by more than the NAK back-off at six places on the path to the service";
    }

    @Override
    public long overflowingNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(RARE_STALL_MS);
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.exact(Direction.INBOUND, NetworkLoss.places());
        return FaultSpec.of(
                "datagram-delay",
                Deployment.SERVICE,
                new DatagramDelayFault.Parameters(DatagramSeam.NAME, selection, DELAY_US, 0));
    }

    @Override
    public List<Expectation> effects(RunOutcome outcome) {
        Arrivals service = new Arrivals(outcome, Deployment.SERVICE);
        return List.of(
                service.overtaken(),
                service.repeated(),
                service.askedAgain(),
                new Arrivals(outcome, Deployment.GATEWAY).neverAskedAgain());
    }
}
