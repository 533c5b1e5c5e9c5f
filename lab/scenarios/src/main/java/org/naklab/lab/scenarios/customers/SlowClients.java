package org.naklab.lab.scenarios.customers;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.kind.SlowClientFault;
import org.naklab.lab.core.Format;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.customers.ServingReport;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;
import org.naklab.subscriber.clients.ClientServer;

/**
 * A gateway has a thousand customers; some read 1 kB a second for a while, and some stop. Those that read order by order are warned and disconnected, those
 * that read best prices skip some, and neither the gateway's receipt nor the other customers notice.
 */
@AutoService(Scenario.class)
public final class SlowClients implements Scenario {
    /** The claims about slow customers. */
    public enum Claims implements Claim {
        FAULT_FIRED("fault: %s"),
        WARNED_AND_DISCONNECTED("the gateway warned and disconnected customers that read order by order too slowly"),
        NOBODY_ELSE("the gateway disconnected nobody else"),
        CONFLATED("best prices were conflated"),
        MEMORY_BOUNDED("what waits in the gateway for a customer is bounded"),
        RECEIPT_UNDISTURBED("the gateway's receipt never waited: times that its ring was full"),
        RECEIPT_NOT_STALLED("the gateway's receipt did not stall"),
        DROPPED_NOTHING("the gateway's socket dropped nothing"),
        SENT_NO_NAK("the gateway sent no NAK"),
        OTHERS_IN_TIME("no price was stale for long at a customer that reads at once");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** The customers of the gateway. */
    public static final int CUSTOMERS = 1_000;

    private static final int INSTRUMENTS = 8;
    private static final long EVENTS_PER_SECOND = 2_000;
    private static final long DURATION_MS = 20_000;
    private static final long WARM_UP_MS = 2_000;
    /** So long takes a customer that stops to lose what the buffers of its connection, the server and the store hold. */
    private static final long SLOW_MS = 14_000;
    /** Of each kind: half of them read order by order, half best prices. */
    private static final int SLOW = 10;

    /** A quarter of a second of events: a business thread that waits for a customer any longer fills the ring, and the receipt then waits as well. */
    static final int RING_SLOTS = 1 << 9;
    /** A thousand customers share one thread of two processors with the replica: a turn may take so long. A slow reader is kept for seconds. */
    private static final double LONGEST_STALE_MS = 250;

    private static final int STORE_BYTES = 512 << 10;
    private static final int SEND_BUFFER_BYTES = 16 << 10;
    /** The fault of customers that stop to read. */
    public static final String STOPPED = "stopped-clients";
    /** The fault of customers that read 1 kB a second. */
    public static final String TRICKLING = "slow-clients";

    @Override
    public String name() {
        return "slow-client";
    }

    @Override
    public String summary() {
        return "A gateway with 1,000 customers, of which some read 1 kB/s and some stop: the others do not notice";
    }

    @Override
    public Workload workload() {
        return new Workload(
                null,
                INSTRUMENTS,
                ArrivalPattern.CONSTANT,
                EVENTS_PER_SECOND,
                0,
                TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS),
                null,
                TimeUnit.MILLISECONDS.toNanos(DURATION_MS));
    }

    @Override
    public long warmUpNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS);
    }

    @Override
    public Customers customers(RunPlan plan) {
        return new Customers(1, CUSTOMERS, STORE_BYTES, SEND_BUFFER_BYTES);
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return Deployment.standard(plan)
                .with(Deployment.GATEWAY, spec -> spec.withConfig(spec.config().withRingSlots(RING_SLOTS)));
    }

    @Override
    public Set<String> faultKinds() {
        return Set.of(new SlowClientFault().name());
    }

    @Override
    public FaultPlan customersFaults(RunPlan plan) {
        return new FaultPlan(plan.seed(), List.of(slow(STOPPED, 0), slow(TRICKLING, null)));
    }

    private static FaultSpec slow(String id, @Nullable Integer bytesPerSecond) {
        FaultSpec fault = FaultSpec.of(
                new SlowClientFault().name(),
                Customers.PROCESS,
                new SlowClientFault.Parameters(Deployment.GATEWAY, SLOW, bytesPerSecond));
        return new FaultSpec(
                id,
                fault.kind(),
                fault.on(),
                new When(ProcessFaults.FLOW_TRIGGER, WARM_UP_MS, null),
                SLOW_MS,
                fault.parameters());
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>(NoLossChecks.check(outcome));
        if (NoLossChecks.isFinished(outcome)) {
            conditions.add(fired(STOPPED, outcome));
            conditions.add(fired(TRICKLING, outcome));
            conditions.addAll(
                    check(outcome, outcome.subscriber(Deployment.GATEWAY), outcome.customersOf(Deployment.GATEWAY)));
        }
        return conditions;
    }

    private static List<Expectation> check(
            RunOutcome outcome, @Nullable ServiceReport gateway, CustomersReport.@Nullable Served customers) {
        ServingReport serving = gateway == null ? null : gateway.serving();
        if (gateway == null || serving == null || customers == null) {
            return Stream.of(Claims.values())
                    .filter(claim -> claim != Claims.FAULT_FIRED)
                    .map(claim -> Expectation.unknown(claim, "", NoLossChecks.NO_FINAL_REPORT))
                    .toList();
        }
        long disconnected = serving.slow().disconnected();
        List<Expectation> conditions = new ArrayList<>(List.of(
                Expectation.proven(
                        Claims.WARNED_AND_DISCONNECTED,
                        disconnected > 0 && serving.slow().warned() >= disconnected,
                        "warned " + Format.count(serving.slow().warned()) + ", disconnected "
                                + Format.count(disconnected)),
                Expectation.of(
                        Claims.NOBODY_ELSE,
                        disconnected <= customers.progress().rejoined(),
                        Format.count(disconnected) + " disconnected, and "
                                + Format.count(customers.progress().rejoined()) + " slow ones began again"),
                Expectation.of(
                        Claims.CONFLATED,
                        serving.slow().skippedQuotes() > 0,
                        Format.count(serving.slow().skippedQuotes()) + " skipped"),
                Expectation.of(
                        Claims.MEMORY_BOUNDED,
                        serving.slow().mostWaitingBytes() <= ClientServer.MOST_WAITING_BYTES,
                        Format.count(serving.slow().mostWaitingBytes()) + " of "
                                + Format.count(ClientServer.MOST_WAITING_BYTES) + " bytes")));
        Stream.of(
                        Expectation.none(
                                Claims.RECEIPT_UNDISTURBED, "", gateway.flow().backPressure()),
                        notStalled(outcome),
                        outcome.onSocketsOf(
                                Deployment.GATEWAY,
                                Expectation.none(
                                        Claims.DROPPED_NOTHING, "", outcome.datagramsDropped(Deployment.GATEWAY))),
                        Expectation.none(
                                Claims.SENT_NO_NAK,
                                "",
                                gateway.intake().transport().naksSent()),
                        inTime(customers))
                .map(condition -> isMachineBusy(outcome) ? condition.inDoubt() : condition)
                .forEach(conditions::add);
        return List.copyOf(conditions);
    }

    private static Expectation notStalled(RunOutcome outcome) {
        List<Stall> stalls = outcome.stalls().stream()
                .filter(stall -> stall.process().equals(Deployment.GATEWAY))
                .toList();
        return Expectation.of(
                Claims.RECEIPT_NOT_STALLED,
                stalls.isEmpty(),
                stalls.isEmpty()
                        ? "none over 20 ms"
                        : stalls.size() + ", the first of "
                                + Format.milliseconds(stalls.get(0).durationMs()) + ": "
                                + stalls.get(0).cause());
    }

    /** The first customer is never slowed down. */
    private static Expectation inTime(CustomersReport.Served customers) {
        StaleQuotesRecord stale = customers.lateness().staleQuotes();
        return stale == null
                ? Expectation.unknown(Claims.OTHERS_IN_TIME, "", "it was not measured")
                : Expectation.of(
                        Claims.OTHERS_IN_TIME,
                        stale.longestMs() <= LONGEST_STALE_MS,
                        Format.milliseconds(stale.longestMs()) + " of " + Format.milliseconds(LONGEST_STALE_MS)
                                + " at most");
    }

    /** A processor that others took away makes everybody late; that says nothing of slow customers. */
    private static boolean isMachineBusy(RunOutcome outcome) {
        return outcome.stalls().stream().anyMatch(stall -> RunOutcome.FOREIGN.contains(stall.cause()));
    }

    private static Expectation fired(String id, RunOutcome outcome) {
        FaultRecord report = outcome.faults().get(id);
        return Expectation.proven(
                Claims.FAULT_FIRED,
                id,
                report != null && report.proof().fired(),
                report == null ? "no proof" : report.proof().explanation());
    }
}
