package org.naklab.lab.scenarios.mystery;

import com.google.auto.service.AutoService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.naklab.lab.containers.pace.ReadGroup;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.SocketBufferCalibration;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * The incident: snapshots at the second boundary hit the rate limit, the wake-up fails, the context thread yields for the first
 * time, and the dynamic linker takes long to bind the symbol. The socket overflows meanwhile, and the service sends a NAK.
 */
@AutoService(Scenario.class)
public final class Mystery implements Scenario {
    static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(150);
    /** Number of instruments whose snapshots exceed the budget of one interval. */
    private static final int INSTRUMENTS = 200;
    /** Warm-up, the second boundary after it, the stall, and the repair. */
    static final long DURATION_NS = TimeUnit.SECONDS.toNanos(8);

    private static final int FRAME_BYTES = 32;
    /** Room for one event only, so that the number of datagrams is the number of events. */
    public static final int FEED_MTU_BYTES = BitUtil.align(FRAME_BYTES + OrderEventCodec.MAX_LENGTH, FRAME_BYTES);

    /** One that reads from the first message on, one that joins late, and one that receives datagrams. */
    private static final int CUSTOMERS = 3;

    private static final int CORES_FOR_CUSTOMERS = 4;

    static final String SECOND_GATEWAY = "gateway-2";

    /** Minimum number of cores; with fewer, the replicas would preempt each other, which is a different stall. */
    static final int CORES_FOR_SECOND_GATEWAY = 4;

    @Override
    public String name() {
        return "mystery";
    }

    @Override
    public String summary() {
        return "The incident: a late bind stalls receipt for 150 ms, the socket overflows, a NAK is sent";
    }

    @Override
    public Workload workload() {
        return new Workload(
                null,
                INSTRUMENTS,
                ArrivalPattern.CONSTANT,
                BufferSizing.PREFERRED_EVENTS_PER_SECOND,
                0,
                TimeUnit.MILLISECONDS.toNanos(MysteryFaults.WARM_UP_MS),
                null,
                DURATION_NS);
    }

    /** Until the faults are armed. */
    @Override
    public long warmUpNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(MysteryFaults.warmUpMs(plan));
    }

    @Override
    public long stallNs() {
        return STALL_NS;
    }

    /** On a small machine they would take the processors that the replicas need. */
    @Override
    public Customers customers(RunPlan plan) {
        return Runtime.getRuntime().availableProcessors() >= CORES_FOR_CUSTOMERS
                ? Customers.of(CUSTOMERS)
                : Customers.NONE;
    }

    /** Returns why a run has no customers that asked for nothing else, and how it gets some; empty if that was its own choice, or it has some. */
    static Optional<String> whyNoCustomers(RunPlan plan, int processors) {
        return processors >= CORES_FOR_CUSTOMERS
                        || !plan.customers().isNone()
                        || plan.placement().composition() != null
                        || MysteryFidelities.of(plan.fidelity()).isContained(plan)
                ? Optional.empty()
                : Optional.of("none: the replica needs the " + processors + " processors of this machine; "
                        + Customers.OPTION + ' ' + CUSTOMERS + " adds some");
    }

    @Override
    public Set<String> faultKinds() {
        return Set.of(
                MysteryFaults.YIELD,
                MysteryFaults.BINDING,
                MysteryFaults.PARKING,
                MysteryFaults.READS,
                MysteryFaults.EVICTION);
    }

    @Override
    public List<Fidelity> fidelities() {
        return MysteryFidelities.ALL.stream().map(FidelityStrategy::fidelity).toList();
    }

    /** The bind of the incident waited for a page. Where pages cannot be made slow, it waits in a library of the lab. */
    @Override
    public Optional<Realistic> realistic(Path directory) {
        return Optional.of(new Realistic(
                Fidelity.EVICTED,
                ReadGroup.obstacle(directory)
                        .map(obstacle ->
                                "no page of a library is read back slowly, so that the run has no major fault: "
                                        + obstacle)
                        .orElse(null)));
    }

    @Override
    public Map<Cause, Fidelity> causes() {
        return Map.of(Cause.LATE_BINDING_DELAY, Fidelity.AUDITED, Cause.LATE_BINDING_MAJOR_FAULT, Fidelity.EVICTED);
    }

    @Override
    public Map<Remedy, String> prices() {
        Map<Remedy, String> prices = new LinkedHashMap<>();
        MysteryRemedies.ALL.forEach(strategy -> prices.put(strategy.remedy(), strategy.price()));
        return prices;
    }

    @Override
    public Optional<String> comparisonNote(Fidelity fidelity, Collection<Remedy> compared) {
        return MysteryFidelities.find(fidelity)
                .flatMap(strategy -> strategy.comparisonNote(
                        compared.stream().map(MysteryRemedies::of).toList()));
    }

    @Override
    public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
        return MysteryFidelities.find(fidelity)
                .map(strategy -> MysteryRemedies.of(remedy).isAgainstEviction() && !strategy.hasPressure()
                        ? Optional.of(
                                "remedy " + remedy + " keeps pages in memory, but no shortage of memory evicts them "
                                        + "with fidelity " + fidelity + "; use fidelity natural")
                        : strategy.refusal(MysteryRemedies.of(remedy)))
                .orElse(Optional.of("the mystery injects a stall: fidelity audited or simulated"));
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return MysteryFidelities.of(plan.fidelity()).compositionRefusal();
    }

    @Override
    public RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        Workload workload = plan.workload();
        if (workload.speed() != 0 || workload.arrival() != ArrivalPattern.CONSTANT) {
            throw new UsageException(
                    "the mystery needs a constant rate, as in the incident: omit --speed and --arrival bursty");
        }
        if (workload.eventsPerSecond() == 0) {
            throw new UsageException("the mystery needs a known rate: --rate max is not supported");
        }
        if (plan.traffic().rateLimiting() != RateLimitMode.TRANSPORT) {
            throw new UsageException(
                    "--remedy application-rate-limit determines the rate limiting of the snapshots: omit "
                            + "--rate-limiting");
        }
        RemedyStrategy remedy = MysteryRemedies.of(plan.remedy());
        int mostAskedBytes = TransportProfile.LBTRM.receiveBufferBytes();
        SocketBufferCalibration kernel = SocketBufferCalibration.measure(FEED_MTU_BYTES, mostAskedBytes);
        long rate = isRateGiven ? workload.eventsPerSecond() : BufferSizing.chooseRate(stallNs, kernel);
        BufferSizing stall = BufferSizing.choose(stallNs, rate, kernel, remedy.isStallBuffered());
        Workload paced = workload.withEventsPerSecond(rate);
        Workload changed = MysteryFidelities.of(plan.fidelity()).workload(paced);
        return plan.with(new RunPlan.Traffic(changed, remedy.rateLimiting(), stall));
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return deploy(plan, PreparationListener.NONE);
    }

    @Override
    public boolean isContained(RunPlan plan) {
        return Scenario.super.isContained(plan)
                || MysteryFidelities.of(plan.fidelity()).isContained(plan);
    }

    @Override
    public Deployment deploy(RunPlan plan, PreparationListener listener) {
        return MysteryFidelities.of(plan.fidelity()).deploy(plan, listener);
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        return check(outcome, Set.of());
    }

    /**
     * Checks a run in which datagrams were lost on the way to some gateways as well.
     *
     * @param lossy gateways that may have asked for datagrams again; their sockets dropped none all the same
     */
    public List<Expectation> check(RunOutcome outcome, Set<String> lossy) {
        List<Expectation> conditions = new ArrayList<>();
        if (NoLossChecks.isFinished(outcome)) {
            List<Expectation> proof = MysteryProof.check(outcome);
            boolean isProven = proof.stream().allMatch(condition -> condition.verdict() == Verdict.PASS);
            conditions.addAll(proof);
            MysteryPrediction.check(outcome, lossy).stream()
                    .map(condition -> isProven ? condition : condition.inDoubt())
                    .forEach(conditions::add);
        }
        conditions.addAll(NoLossChecks.check(outcome));
        return conditions;
    }

    @Override
    public List<StoryLine> story(RunOutcome outcome, Verdict verdict) {
        return MysterySummary.of(outcome, verdict);
    }
}
