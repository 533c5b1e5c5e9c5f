package org.naklab.lab.scenarios;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.ForeignTrafficRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.mystery.MysteryFaults;
import org.naklab.lab.scenarios.mystery.memory.LockedPages;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/** A run of the mystery as it should be for its remedy, and how it may differ from that. */
public final class MysteryRun {
    private static final String FEED_ID = "0123456789abcdef";

    static final long EVENTS = 35_500;
    public static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(150);
    /** A second boundary, on the timeline: the offset to the epoch is 0 here. */
    public static final long BOUNDARY_NS = TimeUnit.SECONDS.toNanos(100);

    private static final String CONTEXT = MessagingContext.threadName(Deployment.SERVICE);

    public final Map<String, FaultRecord> faults = new LinkedHashMap<>();
    /** Of the service; {@code null}: it measured none. */
    public @Nullable LatencyRecord latency;

    public final List<ReportedEvent> events = new ArrayList<>();
    public final List<Stall> stalls = new ArrayList<>();
    InstrumentCoverage observation = InstrumentCoverage.none();
    Remedy remedy;
    public Fidelity fidelity;
    /** The prediction does not rest on it, unless the replica is in containers. */
    public Cause diagnosed = Cause.CLEAN;

    /** {@code null}: the flow never began. */
    public @Nullable Interval counted =
            new Interval(BOUNDARY_NS - TimeUnit.SECONDS.toNanos(2), BOUNDARY_NS + TimeUnit.SECONDS.toNanos(4));

    public long serviceDrops;
    public long serviceNaks;
    public long gatewayDrops;
    public long gatewayNaks;
    public long missing;
    public long snapshots = 1_000;
    public int grantedBytes = 312_500;

    public MysteryRun(Remedy remedy) {
        this(remedy, Fidelity.AUDITED);
    }

    public MysteryRun(Remedy remedy, Fidelity fidelity) {
        this.remedy = remedy;
        this.fidelity = fidelity;
        if (remedy.equals(Remedy.APPLICATION_RATE_LIMIT)) {
            faults.put(MysteryFaults.YIELD, report(false, "the rate limit was never hit"));
            faults.put(MysteryFaults.BINDING, report(false, "the thread never yielded"));
            return;
        }
        faults.put(MysteryFaults.YIELD, report(true, "the limiter found its lock held"));
        if (fidelity == Fidelity.EVICTED || fidelity == Fidelity.NATURAL) {
            faults.put(MysteryFaults.READS, report(true, "readers took the budget"));
        }
        if (fidelity == Fidelity.NATURAL) {
            events.add(narrowed(true));
        }
        events.add(rateLimitHit(BOUNDARY_NS + 1_000_000));
        boolean isContained = fidelity == Fidelity.EVICTED || fidelity == Fidelity.NATURAL;
        if (isContained && (remedy.equals(Remedy.PRE_TOUCH) || remedy.equals(LockedPages.REMEDY))) {
            events.add(used(2_600_000));
        }
        if (remedy.equals(Remedy.NO_YIELD)) {
            faults.put(
                    fidelity == Fidelity.SIMULATED ? MysteryFaults.PARKING : MysteryFaults.BINDING,
                    report(false, "the thread never yielded"));
            return;
        }
        if (remedy.equals(Remedy.BIND_NOW) || remedy.equals(Remedy.PRE_TOUCH)) {
            events.add(bound(BOUNDARY_NS - TimeUnit.SECONDS.toNanos(9)));
            events.add(yielded(BOUNDARY_NS + 10_000_000, 0.02));
            faults.put(
                    MysteryFaults.BINDING,
                    new FaultRecord(
                            true,
                            new FaultRecord.Proof(false, "bound early", Map.of("firstYieldNs", 20_000L), List.of())));
            return;
        }
        if (remedy.equals(Remedy.OWN_CONTEXT)) {
            events.add(yielded(BOUNDARY_NS + 10_100_000, 150.2));
            events.add(bound(BOUNDARY_NS + 10_200_000));
            faults.put(
                    fidelity == Fidelity.SIMULATED ? MysteryFaults.PARKING : MysteryFaults.BINDING,
                    report(true, "held up on the thread that sends snapshots"));
            return;
        }
        if (remedy.equals(Remedy.POLITE_JOURNAL) || remedy.equals(LockedPages.REMEDY)) {
            events.add(yielded(BOUNDARY_NS + 10_100_000, 0.2));
            events.add(bound(BOUNDARY_NS + 10_200_000));
            faults.put(MysteryFaults.BINDING, report(true, "bound late, with its pages in memory"));
            return;
        }
        events.add(yielded(BOUNDARY_NS + 10_100_000, 150.2));
        events.add(bound(BOUNDARY_NS + 10_200_000));
        diagnosed = cause(fidelity);
        stall(BOUNDARY_NS + 10_000_000, 150.9, diagnosed.label());
        faults.put(
                fidelity == Fidelity.SIMULATED ? MysteryFaults.PARKING : MysteryFaults.BINDING,
                report(true, "held up"));
        if (remedy.equals(Remedy.NONE)) {
            serviceDrops = 375;
            serviceNaks = 6;
        } else {
            grantedBytes = 8 << 20;
        }
    }

    private static Cause cause(Fidelity fidelity) {
        return switch (fidelity) {
            case SIMULATED -> Cause.LATE_BINDING_SIMULATED;
            case EVICTED, NATURAL -> Cause.LATE_BINDING_MAJOR_FAULT;
            default -> Cause.LATE_BINDING_DELAY;
        };
    }

    public MysteryRun stall(long atNs, double durationMs, String cause) {
        stalls.add(new Stall(Deployment.SERVICE, atNs, durationMs, CONTEXT, 0, cause));
        return this;
    }

    /** Nobody sees the process's sockets. */
    public MysteryRun blindTo(String process) {
        observation = new InstrumentCoverage(
                new InstrumentCoverage.Sight(List.of(), List.of("no sockets of " + process), Set.of(process)),
                List.of(),
                null,
                new SamplerStatistics(0, 0, 0, 0, 0),
                0,
                List.of());
        return this;
    }

    public RunOutcome outcome() {
        Map<String, Role> deployed = new LinkedHashMap<>();
        deployed.put(Deployment.SERVICE, Role.SERVICE);
        deployed.put(Deployment.GATEWAY, Role.GATEWAY);
        return new RunOutcome(
                plan(),
                deployed,
                new ExchangeRecord(
                        new ExchangeRecord.Sent(EVENTS, 7, 0),
                        new ExchangeRecord.End(true, null),
                        new ExchangeRecord.Intake(transport(0), ForeignTrafficRecord.NONE, FEED_ID),
                        Map.of()),
                List.of(subscriber(Deployment.SERVICE, Role.SERVICE, serviceNaks), gateway()),
                new Verification(
                        Path.of("journal"),
                        EVENTS,
                        1,
                        EVENTS,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        false,
                        true,
                        EVENTS,
                        7,
                        7,
                        2,
                        0,
                        0,
                        0,
                        0,
                        List.of()),
                List.of(
                        new SocketReading(Deployment.SERVICE, "239.192.16.1", 26_000, 300_000, serviceDrops),
                        new SocketReading(Deployment.GATEWAY, "239.192.16.1", 26_000, 9_000, gatewayDrops)),
                stalls,
                events,
                List.of(),
                Map.of(),
                observation,
                Diagnoses.of(diagnosed, Confidence.LIKELY),
                0,
                TimeUnit.SECONDS.toNanos(12),
                counted,
                null,
                List.of(),
                null);
    }

    public RunPlan plan() {
        SocketBufferCalibration kernel = new SocketBufferCalibration(96, 131_072, 157, 2, 8 << 20);
        Workload workload = new Mystery().workload();
        return new RunPlan(
                "mystery",
                fidelity,
                remedy,
                42,
                new RunPlan.Traffic(
                        workload,
                        remedy.equals(Remedy.APPLICATION_RATE_LIMIT)
                                ? RateLimitMode.APPLICATION
                                : RateLimitMode.TRANSPORT,
                        BufferSizing.choose(STALL_NS, 5_000, kernel, remedy.equals(Remedy.BIGGER_BUFFER))),
                new RunPlan.Transport(TransportProfile.LBTRM, TopicChannels.onLoopback(26_000), IdleMode.BACKOFF),
                new RunPlan.Placement(Path.of("run"), ""),
                List.of());
    }

    private ServiceReport gateway() {
        return subscriber(Deployment.GATEWAY, Role.GATEWAY, gatewayNaks);
    }

    private ServiceReport subscriber(String name, Role role, long naks) {
        boolean isService = role == Role.SERVICE;
        return new ServiceReport(
                new SubscriberRecord(
                        name,
                        role.name(),
                        new SubscriberRecord.Events(EVENTS, isService ? EVENTS : 0, missing, 0, 0),
                        new SubscriberRecord.Flow(0, snapshots, 0, 12),
                        new SubscriberRecord.End(7, 0, true, true),
                        new SubscriberRecord.Intake(
                                grantedBytes, transport(naks), true, ForeignTrafficRecord.NONE, FEED_ID),
                        new SubscriberRecord.Effects(
                                isService ? faults : Map.of(), 0L, 0.0, isService ? latency : null)),
                null,
                null,
                null);
    }

    private static TransportRecord transport(long naks) {
        return new TransportRecord(naks, 0, 0, 0, 0, 0);
    }

    public static FaultRecord report(boolean fired, String explanation) {
        return new FaultRecord(true, new FaultRecord.Proof(fired, explanation, Map.of(), List.of()));
    }

    /** Senders that were blocked are woken. */
    public static ReportedEvent woken(long atNs) {
        return reported(new ProcessEvent.SendersWoken(atNs, CONTEXT, 3));
    }

    static ReportedEvent rateLimitHit(long atNs) {
        return reported(new ProcessEvent.RateLimitHit(atNs, CONTEXT));
    }

    public static ReportedEvent yielded(long atNs, double durationMs) {
        return reported(new ProcessEvent.Yielded(atNs, CONTEXT, new Interruption(durationMs, 0L, 0.0, 0L, 0.0, 0.0)));
    }

    static ReportedEvent narrowed(boolean evicted) {
        return reported(new ProcessEvent.MemoryNarrowed(
                BOUNDARY_NS - 1, 3_000_000, 0, evicted, BOUNDARY_NS - TimeUnit.SECONDS.toNanos(2)));
    }

    static ReportedEvent used(long lockedBytes) {
        return reported(new ProcessEvent.ResourcesUsed(BOUNDARY_NS, 1, 2, 3, lockedBytes));
    }

    public static ReportedEvent bound(long atNs) {
        return reported(new ProcessEvent.SymbolBound(atNs, CONTEXT, 1, "sched_yield", 150.0, null, true));
    }

    static ReportedEvent accounted(long limitHits, long journalCachedBytes) {
        return reported(new ProcessEvent.MemoryAccounted(
                BOUNDARY_NS, 200 << 20, 1 << 20, limitHits, 100, 10, 80 << 20, journalCachedBytes, 12.5));
    }

    private static ReportedEvent reported(ProcessEvent event) {
        return new ReportedEvent(Deployment.SERVICE, event);
    }
}
