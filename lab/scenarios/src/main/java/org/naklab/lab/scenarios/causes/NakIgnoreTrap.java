package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Gap;
import org.naklab.faults.datagram.Selection;
import org.naklab.lab.core.Format;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.lbtrm.IgnoreInterval;

/**
 * LBT-RM's documented trap: the sender ignores NAKs for longer than receivers wait before they ask again. Two datagrams are lost, and lost again when they
 * are sent again; each then costs about a second, because every further NAK is ignored until the interval has passed. LBT-RM itself ignores for 500 ms
 * and then tells the receiver to wait for a second; the lab's transport tells it nothing, and ignores for a second.
 */
@AutoService(Scenario.class)
public final class NakIgnoreTrap implements CauseScenario {
    /** The claims about the trap in addition to those of a cause. */
    public enum Claims implements Claim {
        NAKS_IGNORED("the exchange ignored NAKs"),
        LOST_TWICE("datagrams were lost, and lost again when they were sent again"),
        REPAIRED_LATE("a datagram lost twice came back only after the ignore interval");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private static final long IGNORE_MS = 1_000;
    private static final int TIMES = 2;
    /** One after the other has come back. */
    private static final Gap[] LOST = {new Gap(500, 1), new Gap(9_000, 1)};

    @Override
    public String name() {
        return "nak-ignore-trap";
    }

    @Override
    public Cause injected() {
        return Cause.NETWORK_LOSS;
    }

    /** The confusion matrix has a scenario of its own for this cause. */
    @Override
    public Map<Cause, Fidelity> causes() {
        return Map.of();
    }

    @Override
    public String summary() {
        return "NAKs are ignored for longer than their back-off: a datagram lost twice costs about a second";
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return Optional.of("the ignore interval is set when the exchange's JVM starts: run it on this machine");
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        Selection selection = Selection.exact(Direction.INBOUND, LOST).struckTimes(TIMES);
        return FaultSpec.of(
                "datagram-loss", Deployment.SERVICE, new DatagramLossFault.Parameters(DatagramSeam.NAME, selection));
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return CauseScenario.super
                .deploy(plan)
                .withExchange(spec -> spec.withJvmArguments("-D" + IgnoreInterval.PROPERTY + '=' + IGNORE_MS + "ms"));
    }

    @Override
    public List<Expectation> effects(RunOutcome outcome) {
        FaultRecord report = outcome.faults().get(fault(outcome.plan()).id());
        long lost = report == null ? 0 : report.proof().figure("firings");
        long longestMs = report == null
                ? 0
                : TimeUnit.NANOSECONDS.toMillis(report.proof().figure("longestRepairNs"));
        Expectation twice = Expectation.proven(
                Claims.LOST_TWICE, lost == (long) TIMES * LOST.length, Format.count(lost) + " losses");
        Expectation late = Expectation.of(Claims.REPAIRED_LATE, longestMs >= IGNORE_MS, longestMs + " ms");
        // Only LBT-RM's profile reads the interval.
        boolean isLbtrm = outcome.plan().transport().profile() == TransportProfile.LBTRM;
        return isLbtrm ? List.of(twice, ignored(outcome.exchange()), late) : List.of(twice, late.inDoubt());
    }

    private static Expectation ignored(@Nullable ExchangeRecord exchange) {
        if (exchange == null) {
            return Expectation.unknown(Claims.NAKS_IGNORED, "", NoLossChecks.NO_FINAL_REPORT);
        }
        long naks = exchange.intake().transport().naksReceived();
        long answered = exchange.intake().transport().retransmitsSent();
        return Expectation.of(
                Claims.NAKS_IGNORED,
                naks > answered,
                Format.count(naks) + " NAKs, " + Format.count(answered) + " answered");
    }
}
