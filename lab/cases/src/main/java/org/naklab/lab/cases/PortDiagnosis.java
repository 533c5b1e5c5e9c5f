package org.naklab.lab.cases;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.Evidence;
import org.naklab.lab.diagnosis.NamedCause;

/** Diagnoses of the ports at which a process receives, or of the stretches of a long watch, and what they say together. */
public final class PortDiagnosis {
    /**
     * Causes of what happened to the datagrams of one port; the times at two ports may be the same. A stall, a burst or an overflow is that of all
     * ports, and each of their diagnoses has it.
     */
    private static final Set<Cause> OF_EACH_PORT = EnumSet.of(
            Cause.NETWORK_LOSS,
            Cause.NETWORK_DELAY,
            Cause.NETWORK_REORDERING,
            Cause.NETWORK_DUPLICATION,
            Cause.SENDER_PAUSED);

    private PortDiagnosis() {}

    /**
     * Returns the events that a diagnosis of one port may use. What was observed of another port is not observed of this one.
     *
     * @param events by time
     */
    static List<TimelineEvent> eventsOf(int port, List<TimelineEvent> events) {
        return events.stream()
                .filter(event -> portOf(event).orElse(port) == port)
                .map(event -> event instanceof DatagramEvent.KernelRecorded recorded && recorded.port() != port
                        ? recorded.withoutArrivals()
                        : event)
                .toList();
    }

    /** Returns the port of what is observed of each port; empty if it is of all. */
    private static Optional<Integer> portOf(TimelineEvent event) {
        if (event instanceof DatagramEvent.PlaceObserved place) {
            return Optional.ofNullable(place.port());
        }
        if (event instanceof DatagramEvent.MembershipLost lost) {
            return Optional.ofNullable(lost.port());
        }
        return event instanceof DatagramEvent.Taken || event instanceof DatagramEvent.PortShared
                ? event.as(DatagramEvent.AtPort.class).map(DatagramEvent.AtPort::port)
                : Optional.empty();
    }

    /**
     * Returns the diagnosis with the worst cause, with the causes of all of them, the worst first.
     *
     * @param areSeparate whether each of them has stalls of its own; otherwise all have the same ones
     * @param diagnoses at least one
     */
    public static Diagnosis together(List<Diagnosis> diagnoses, boolean areSeparate) {
        if (diagnoses.size() == 1) {
            return diagnoses.get(0);
        }
        Diagnosis worst = diagnoses.stream().min(BY_HARM).orElseThrow();
        List<NamedCause> causes = new ArrayList<>(List.copyOf(causes(diagnoses, areSeparate)));
        causes.sort(Comparator.comparing((NamedCause cause) -> !isFirstOf(worst, cause))
                .thenComparing(
                        Comparator.comparingLong(NamedCause::lostDatagrams).reversed())
                .thenComparing(
                        Comparator.comparingDouble(NamedCause::durationMs).reversed()));
        return new Diagnosis(
                worst.cause(),
                worst.confidence(),
                causes,
                worst.stall(),
                evidence(worst, diagnoses),
                worst.chain(),
                worst.suspects(),
                diagnoses.stream()
                        .flatMap(each -> each.noted().stream())
                        .distinct()
                        .toList(),
                worst.wouldSettle(),
                worst.remedy());
    }

    /** The worst first; one without a cause, as with an instrument that was blind, before a clean one. */
    private static final Comparator<Diagnosis> BY_HARM = Comparator.comparing(
                    (Diagnosis each) -> each.causes().isEmpty())
            .thenComparing(each -> each.cause() == Cause.CLEAN)
            .thenComparing(
                    Comparator.comparingLong((Diagnosis each) -> lost(each)).reversed())
            .thenComparing(Comparator.comparingDouble((Diagnosis each) -> durationMs(each))
                    .reversed());

    private static long lost(Diagnosis diagnosis) {
        return diagnosis.causes().isEmpty() ? 0 : diagnosis.causes().get(0).lostDatagrams();
    }

    private static double durationMs(Diagnosis diagnosis) {
        return diagnosis.causes().isEmpty() ? 0 : diagnosis.causes().get(0).durationMs();
    }

    private static boolean isFirstOf(Diagnosis diagnosis, NamedCause cause) {
        return !diagnosis.causes().isEmpty() && key(diagnosis.causes().get(0)).equals(key(cause));
    }

    private static List<NamedCause> causes(List<Diagnosis> diagnoses, boolean areSeparate) {
        Map<List<Object>, NamedCause> causes = new LinkedHashMap<>();
        diagnoses.stream()
                .sorted(BY_HARM)
                .flatMap(each -> each.causes().stream())
                .forEach(cause -> causes.merge(key(cause), cause, (known, more) -> {
                    if (areSeparate) {
                        return sum(known, more, known.durationMs() + more.durationMs());
                    }
                    return OF_EACH_PORT.contains(more.cause())
                            ? sum(known, more, Math.max(known.durationMs(), more.durationMs()))
                            : known;
                }));
        return List.copyOf(causes.values());
    }

    private static List<Object> key(NamedCause cause) {
        return List.of(cause.process(), cause.cause());
    }

    private static NamedCause sum(NamedCause known, NamedCause more, double durationMs) {
        return new NamedCause(
                known.cause(),
                known.confidence(),
                known.process(),
                known.thread(),
                known.atNs(),
                durationMs,
                known.lostDatagrams() + more.lostDatagrams(),
                known.remedy());
    }

    /** What was found at other ports belongs to the causes that are named beside the worst. */
    private static List<Evidence> evidence(Diagnosis worst, List<Diagnosis> diagnoses) {
        Stream<Evidence> others = diagnoses.stream()
                .filter(each -> !each.causes().isEmpty())
                .filter(each -> !each.equals(worst))
                .flatMap(each -> each.evidence().stream());
        return Stream.concat(worst.evidence().stream(), others).distinct().toList();
    }
}
