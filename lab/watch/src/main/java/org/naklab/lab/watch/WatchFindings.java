package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.runs.record.Stall;

/**
 * What a watch, or a window of it, has found of one process.
 *
 * @param process its name on the timeline
 * @param stalls of the threads that read its sockets, as they began
 * @param shared who else ran on the CPUs of its pinned threads, the longest total first
 */
public record WatchFindings(
        String process,
        List<Stall> stalls,
        DatagramLosses losses,
        long naks,
        Diagnosis diagnosis,
        List<CoreShared> shared) {
    public WatchFindings {
        stalls = List.copyOf(stalls);
        shared = List.copyOf(shared);
    }

    /**
     * Diagnoses the events of a process.
     *
     * @param counted the time of the watch or of the window
     * @param events of the process and of the machine, by time
     * @param maxima the largest reading of each series
     * @param blind instruments that cannot see what a diagnosis needs, each one line
     */
    public static WatchFindings of(
            String process,
            Interval counted,
            List<TimelineEvent> events,
            List<SocketSummary> sockets,
            Map<String, Long> maxima,
            List<String> blind) {
        Set<Integer> ports =
                sockets.stream().map(socket -> socket.identity().localPort()).collect(Collectors.toSet());
        DatagramLosses losses = DatagramLosses.of(process, events, ports);
        long naks = events.stream()
                .filter(event -> event.type() == TimelineEventType.NAK_SENT
                        && event.process().equals(process))
                .mapToLong(event -> event.longDetail("naks", 1))
                .sum();
        // Without one, the process may send none at all, or its driver may be elsewhere.
        long countedNaks = naks > 0 ? naks : -1;
        List<String> problems = new ArrayList<>(losses.others());
        problems.addAll(blind);
        CaseFile file = new CaseFile(
                process,
                feedPort(sockets),
                counted,
                events,
                List.of(new CaseFile.Receiver(
                        process, 0, 0, countedNaks, losses.dropped().all(), 0, 0, 0)),
                maxima,
                problems);
        List<TimelineEvent> own =
                events.stream().filter(event -> event.process().equals(process)).toList();
        return new WatchFindings(process, stallsOf(file), losses, naks, Diagnosis.of(file), CoreShared.summed(own));
    }

    /** Returns the port of the socket that lost most, or else was deepest; 0 without a socket. */
    private static int feedPort(List<SocketSummary> sockets) {
        return sockets.stream()
                .max(Comparator.comparingLong(SocketSummary::drops).thenComparingLong(SocketSummary::maxDepthBytes))
                .map(socket -> socket.identity().localPort())
                .orElse(0);
    }

    private static List<Stall> stallsOf(CaseFile file) {
        return file.events().stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .filter(event ->
                        event.process().equals(file.suspect()) && file.counted().contains(event.timeNs()))
                .map(event -> new Stall(
                        event.process(),
                        event.timeNs(),
                        event.interval().lengthMs(),
                        event.thread(),
                        event.longDetail("majorFaults", -1),
                        Diagnosis.causeOf(file, event).label(),
                        Diagnosis.accountOf(file, event)))
                .toList();
    }

    /** Returns true if nothing stalled and nothing was lost. */
    public boolean isQuiet() {
        return stalls.isEmpty() && losses.isEmpty() && naks == 0;
    }
}
