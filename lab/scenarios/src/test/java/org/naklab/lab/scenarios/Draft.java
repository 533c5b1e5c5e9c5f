package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.TransportRecord;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.lab.scenarios.inspection.ProcessReading;
import org.naklab.lab.scenarios.inspection.ProcessUse;
import org.naklab.messaging.MessagingContext;

/** A run's outcome that a mutation can change. */
final class Draft {
    final Map<String, Role> deployed;
    final Map<String, ServiceReport> subscribers = new LinkedHashMap<>();
    final List<SocketReading> sockets;
    final List<Stall> stalls;
    final List<ReportedEvent> events;
    final List<String> troubles;
    final Map<String, FaultRecord> outsideFaults;
    final List<PageFaultRecord> pageFaults;
    RunPlan plan;

    @Nullable
    ExchangeRecord exchange;

    @Nullable
    Verification journal;

    InstrumentCoverage observation;

    /** {@code null}: the flow never began. */
    @Nullable
    Interval counted;

    @Nullable
    Inspection inspection;

    @Nullable
    CustomersReport customers;

    private Diagnosis diagnosis;
    private final RunOutcome original;

    Draft(RunOutcome outcome) {
        original = outcome;
        plan = outcome.plan();
        deployed = new LinkedHashMap<>(outcome.deployed());
        exchange = outcome.exchange();
        outcome.subscribers().forEach(report -> subscribers.put(report.name(), report));
        journal = outcome.journal();
        sockets = new ArrayList<>(outcome.sockets());
        stalls = new ArrayList<>(outcome.stalls());
        events = new ArrayList<>(outcome.events());
        troubles = new ArrayList<>(outcome.troubles());
        outsideFaults = new LinkedHashMap<>(outcome.outsideFaults());
        pageFaults = new ArrayList<>(outcome.pageFaults());
        observation = outcome.observation();
        counted = outcome.counted();
        inspection = outcome.inspection();
        diagnosis = outcome.diagnosis();
        customers = outcome.customers();
    }

    RunOutcome outcome() {
        return new RunOutcome(
                plan,
                deployed,
                exchange,
                List.copyOf(subscribers.values()),
                journal,
                sockets,
                stalls,
                events,
                troubles,
                outsideFaults,
                observation,
                diagnosis,
                original.epochOffsetNs(),
                original.elapsedNs(),
                counted,
                inspection,
                pageFaults,
                customers);
    }

    /** Changes what the customers of a process saw. */
    void customers(String server, String figure, @Nullable Object value) {
        CustomersReport all = customers;
        if (all != null) {
            customers = new CustomersReport(
                    all.servers().stream()
                            .map(served ->
                                    served.server().equals(server) ? Records.with(served, figure, value) : served)
                            .toList(),
                    all.faults());
        }
    }

    /** Changes what a process counted of its customers. */
    void serving(String server, String figure, Object value) {
        ServiceReport report = subscribers.get(server);
        if (report != null && report.serving() != null) {
            report(server, "serving", Records.with(report.serving(), figure, value));
        }
    }

    /** Changes what a process held at the end of the flow. */
    void atEnd(String process, UnaryOperator<ProcessReading> change) {
        Inspection inspected = inspection;
        if (inspected != null) {
            List<ProcessUse> uses = new ArrayList<>(inspected.processes());
            uses.replaceAll(use -> use.process().equals(process) && use.end() != null
                    ? Records.with(use, "end", change.apply(use.end()))
                    : use);
            inspection = new Inspection(uses, inspected.journalBooksDigest());
        }
    }

    /** Changes one figure of a subscriber's final report; one that gave none stays silent. */
    void subscriber(String name, String figure, Object value) {
        subscribers.computeIfPresent(name, (key, report) -> Records.with(report, figure, value));
    }

    void naks(String name, long naks) {
        transport(name, "naksSent", naks);
    }

    /** Changes one figure of a subscriber's transport. */
    void transport(String name, String figure, long value) {
        subscribers.computeIfPresent(
                name,
                (key, report) -> report.with(subscriber -> subscriber.withTransport(
                        Records.with(subscriber.intake().transport(), figure, value))));
    }

    /** A subscriber gave a final report after all, as another one did. */
    void revive(String name, String as) {
        ServiceReport other = subscribers.get(as);
        if (other != null) {
            subscribers.put(
                    name,
                    Records.with(
                            Records.with(other, "name", name),
                            "role",
                            Objects.requireNonNull(deployed.get(name)).name()));
        }
    }

    void exchange(String figure, @Nullable Object value) {
        exchange = exchange == null ? null : Records.with(exchange, figure, value);
    }

    /** Changes one figure of a subscriber's final report, or of the exchange's. */
    void report(String process, String figure, Object value) {
        if (process.equals(Deployment.EXCHANGE)) {
            exchange(figure, value);
        } else {
            subscriber(process, figure, value);
        }
    }

    /** The process ended without a final report. */
    void silence(String process) {
        if (process.equals(Deployment.EXCHANGE)) {
            exchange = null;
        } else {
            subscribers.remove(process);
        }
    }

    void transportError(String process) {
        report(process, "transport", new TransportRecord(0, 0, 0, 0, 0, 1));
    }

    void journal(String figure, Object value) {
        journal = journal == null ? null : Records.with(journal, figure, value);
    }

    void drops(String process, long drops) {
        sockets.replaceAll(socket ->
                socket.process().equals(process) ? Records.with(socket, "reasons", new SocketDrops(drops, 0)) : socket);
    }

    /** The instrument said that it is blind; what it read before stays. */
    void blind(String process) {
        observation = Records.with(observation, "unseenSockets", Set.of(process));
    }

    /** The instrument looked, and found no socket of the feed. */
    void overlook(String process) {
        sockets.removeIf(socket -> socket.process().equals(process));
    }

    void diagnosis(Cause cause, Confidence confidence) {
        diagnosis(Diagnoses.of(cause, confidence));
    }

    void diagnosis(Diagnosis other) {
        diagnosis = other;
    }

    void stall(UnaryOperator<Stall> change) {
        stalls.replaceAll(change);
    }

    void foreignStall(String process, double durationMs) {
        stall(process, durationMs, Cause.CPU_PREEMPTION);
    }

    void stall(String process, double durationMs, Cause cause) {
        stalls.add(new Stall(
                process, MysteryRun.BOUNDARY_NS, durationMs, MessagingContext.threadName(process), 0, cause.label()));
    }

    /** Whoever ran it reports this of it; with {@code null} nothing. */
    void fault(String id, @Nullable FaultRecord report) {
        outsideFaults.computeIfPresent(id, (key, before) -> report);
        exchange("faults", exchange == null ? Map.of() : replaced(exchange.faults(), id, report));
        List.copyOf(subscribers.values())
                .forEach(each -> subscriber(each.name(), "faults", replaced(each.faults(), id, report)));
    }

    private static Map<String, FaultRecord> replaced(
            Map<String, FaultRecord> faults, String id, @Nullable FaultRecord report) {
        Map<String, FaultRecord> others = new LinkedHashMap<>(faults);
        others.computeIfPresent(id, (key, before) -> report);
        return others;
    }
}
