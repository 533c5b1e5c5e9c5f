package org.naklab.lab.scenarios;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Verification;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ReportedEvent;
import org.naklab.lab.process.Role;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.messaging.Topic;

/**
 * The observations of a run.
 *
 * @param deployed the subscribers that were started, with their roles by their names: a verdict asks for each of them
 * @param exchange {@code null} if it exited without a final report
 * @param subscribers those that gave a final report
 * @param journal {@code null} when there was none to verify
 * @param events what the processes' context threads did, in the order of telling
 * @param outsideFaults what became of the faults that the lab itself ran, by their ids
 * @param observation what looked at it, and what was blind
 * @param diagnosis what the evidence comes to
 * @param epochOffsetNs what to add to a time of the timeline for nanoseconds since 1970
 * @param troubles what kept the run from its end, each one line; empty when it came to its end
 * @param counted the time from the end of the warm-up to the end of the flow, on the clock of the timeline; {@code null}: not known
 * @param inspection what the run left behind; {@code null}: its scenario does not ask for it
 * @param pageFaults of 1 ms and more of the receipt threads
 * @param customers what the customers saw; {@code null}: there were none, or they gave no final report
 */
public record RunOutcome(
        RunPlan plan,
        Map<String, Role> deployed,
        @Nullable ExchangeRecord exchange,
        List<ServiceReport> subscribers,
        @Nullable Verification journal,
        List<SocketReading> sockets,
        List<Stall> stalls,
        List<ReportedEvent> events,
        List<String> troubles,
        Map<String, FaultRecord> outsideFaults,
        InstrumentCoverage observation,
        Diagnosis diagnosis,
        long epochOffsetNs,
        long elapsedNs,
        @Nullable Interval counted,
        @Nullable Inspection inspection,
        List<PageFaultRecord> pageFaults,
        @Nullable CustomersReport customers) {
    /** The trouble of a run that was asked to end. */
    public static final String INTERRUPTED = Cancellation.INTERRUPTED;

    /** Stalls with these causes were made by the machine, not by the replica. */
    public static final Set<String> FOREIGN = Set.of(Cause.CPU_PREEMPTION.label(), Cause.MACHINE_STALLED.label());

    public RunOutcome {
        deployed = Collections.unmodifiableMap(new LinkedHashMap<>(deployed));
        subscribers = List.copyOf(subscribers);
        sockets = List.copyOf(sockets);
        stalls = List.copyOf(stalls);
        events = List.copyOf(events);
        troubles = List.copyOf(troubles);
        outsideFaults = Map.copyOf(outsideFaults);
        pageFaults = List.copyOf(pageFaults);
    }

    /** Creates an outcome whose counted time is not known, and that was not inspected. */
    public RunOutcome(
            RunPlan plan,
            Map<String, Role> deployed,
            @Nullable ExchangeRecord exchange,
            List<ServiceReport> subscribers,
            @Nullable Verification journal,
            List<SocketReading> sockets,
            List<Stall> stalls,
            List<ReportedEvent> events,
            List<String> troubles,
            Map<String, FaultRecord> outsideFaults,
            InstrumentCoverage observation,
            Diagnosis diagnosis,
            long epochOffsetNs,
            long elapsedNs) {
        this(
                plan,
                deployed,
                exchange,
                subscribers,
                journal,
                sockets,
                stalls,
                events,
                troubles,
                outsideFaults,
                observation,
                diagnosis,
                epochOffsetNs,
                elapsedNs,
                null,
                null,
                List.of(),
                null);
    }

    /** Returns whether the run was asked to end before its time: what it did not show then is nobody's fault. */
    public boolean isInterrupted() {
        return troubles.contains(INTERRUPTED);
    }

    /** The market data service's final report. */
    public @Nullable ServiceReport service() {
        return subscribers.stream()
                .filter(ServiceReport::servesData)
                .findFirst()
                .orElse(null);
    }

    /** A subscriber's final report. */
    public @Nullable ServiceReport subscriber(String name) {
        return subscribers.stream()
                .filter(report -> report.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Returns what the customers of a subscriber saw; null if it has none, or they gave no final report. */
    public CustomersReport.@Nullable Served customersOf(String name) {
        return customers == null
                ? null
                : customers.servers().stream()
                        .filter(served -> served.server().equals(name))
                        .findFirst()
                        .orElse(null);
    }

    /** Qualifies a condition on the drops of one process: unknown if no instrument observed the feed's socket. */
    public Expectation onSocketsOf(String process, Expectation condition) {
        return onSockets(List.of(process), condition);
    }

    /** Qualifies a condition on the drops of all subscribers. */
    public Expectation onReceivers(Expectation condition) {
        return onSockets(deployed.keySet(), condition);
    }

    private Expectation onSockets(Collection<String> processes, Expectation condition) {
        List<String> unseen = processes.stream()
                .filter(process -> !isFeedSocketSeen(process))
                .sorted()
                .toList();
        return unseen.isEmpty()
                ? condition
                : condition.unseen("no instrument observed the sockets of " + String.join(", ", unseen));
    }

    private boolean isFeedSocketSeen(String process) {
        int port = plan.channels().port(Topic.ORDER_BOOK_EVENTS);
        return !observation.sight().unseenSockets().contains(process)
                && sockets.stream().anyMatch(socket -> socket.process().equals(process) && socket.port() == port);
    }

    /** Returns this outcome with another diagnosis. */
    public RunOutcome withDiagnosis(Diagnosis other) {
        return with(observation, other, inspection);
    }

    /** Returns this outcome with further evidence that could not be written. */
    public RunOutcome withUnkept(List<String> more) {
        return with(observation.withUnkept(more), diagnosis, inspection);
    }

    private RunOutcome with(
            InstrumentCoverage newObservation, Diagnosis newDiagnosis, @Nullable Inspection newInspection) {
        return new RunOutcome(
                plan,
                deployed,
                exchange,
                subscribers,
                journal,
                sockets,
                stalls,
                events,
                troubles,
                outsideFaults,
                newObservation,
                newDiagnosis,
                epochOffsetNs,
                elapsedNs,
                counted,
                newInspection,
                pageFaults,
                customers);
    }

    /** Returns the events of one kind from one process, by time. */
    public <E extends ProcessEvent> List<E> events(String process, Class<E> kind) {
        return events.stream()
                .filter(each -> each.process().equals(process) && kind.isInstance(each.event()))
                .map(each -> kind.cast(each.event()))
                .sorted(Comparator.comparingLong(ProcessEvent::atNs))
                .toList();
    }

    /** Returns the datagrams that the subscribers' sockets dropped, by reason. */
    public SocketDrops socketDrops() {
        return together(receivers());
    }

    /** Returns the datagrams that one process's sockets dropped, by reason. */
    public SocketDrops socketDrops(String process) {
        return together(sockets.stream().filter(socket -> socket.process().equals(process)));
    }

    private static SocketDrops together(Stream<SocketReading> sockets) {
        return sockets.map(SocketReading::reasons).reduce(new SocketDrops(0, 0), SocketDrops::and);
    }

    /** Datagrams that one process's sockets dropped, for whatever reason. */
    public long datagramsDropped(String process) {
        return sum(process, SocketReading::drops);
    }

    private long sum(String process, ToLongFunction<SocketReading> figure) {
        return sockets.stream()
                .filter(socket -> socket.process().equals(process))
                .mapToLong(figure)
                .sum();
    }

    /** Returns the proofs of all processes and of the lab by fault id. */
    public Map<String, FaultRecord> faults() {
        Map<String, FaultRecord> faults = new TreeMap<>(outsideFaults);
        subscribers.forEach(report -> faults.putAll(report.faults()));
        if (exchange != null) {
            faults.putAll(exchange.faults());
        }
        if (customers != null) {
            faults.putAll(customers.faults());
        }
        return faults;
    }

    public long naks() {
        return subscribers.stream()
                .mapToLong(report -> report.intake().transport().naksSent())
                .sum();
    }

    /** Datagrams that a full receive buffer cost the subscribers. */
    public long datagramsDropped() {
        return receivers().mapToLong(SocketReading::drops).sum();
    }

    public long maxSocketDepthBytes() {
        return receivers().mapToLong(SocketReading::maxDepthBytes).max().orElse(0);
    }

    /** The exchange's own socket takes NAKs, not the feed. */
    private Stream<SocketReading> receivers() {
        return sockets.stream().filter(socket -> !socket.process().equals(Deployment.EXCHANGE));
    }

    public long retransmits() {
        return exchange == null ? 0 : exchange.intake().transport().retransmitsSent();
    }

    /** Sends that a rate limit refused, of all senders. */
    public long blockedSends() {
        long services = subscribers.stream()
                .mapToLong(each -> each.flow().blockedSends())
                .sum();
        return services + (exchange == null ? 0 : exchange.sent().blockedSends());
    }
}
