package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cases.Case;
import org.naklab.lab.cases.CaseDocument;
import org.naklab.lab.cases.Judgement;
import org.naklab.lab.cases.OwnActs;
import org.naklab.lab.cases.PortDiagnosis;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.CoreShared;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;

/**
 * Tells what a watch, or a window of it, has found of one process.
 *
 * @param process its name on the timeline
 * @param blind what could not be seen, each one line
 * @param evidence before judgement; {@code null}: of several stretches of a long watch, which are not kept
 */
public record WatchFindings(
        String process,
        Standstills standstills,
        Feed feed,
        Diagnosis diagnosis,
        Details details,
        List<String> blind,
        @Nullable Case evidence) {
    /**
     * Contains the stalls.
     *
     * @param stalls of the threads that read its sockets, as they began; of very many, the longest
     * @param moreStalls the number of the others
     */
    public record Standstills(List<Stall> stalls, long moreStalls) {
        public Standstills {
            stalls = List.copyOf(stalls);
        }
    }

    /**
     * Contains what happened to the feed.
     *
     * @param silences times in which no datagram of a feed came in, and times without membership in a group
     */
    public record Feed(DatagramLosses losses, long naks, List<FeedInterruption> silences) {
        public Feed {
            silences = List.copyOf(silences);
        }
    }

    /**
     * Contains what explains a stall further.
     *
     * @param shared who else ran on the CPUs of its pinned threads, the longest total first
     * @param pageFaults of 1 ms and more of the threads that read its sockets, by their begin; of very many, the longest
     * @param own what the lab itself has done to the process, and the stalls that this has caused
     */
    public record Details(List<CoreShared> shared, List<PageFaultRecord> pageFaults, OwnActs own) {
        public Details {
            shared = List.copyOf(shared);
            pageFaults = List.copyOf(pageFaults);
        }
    }

    static final int MAX_STALLS = 10_000;
    private static final int MAX_FAULTS = 1_000;

    public WatchFindings {
        blind = List.copyOf(blind);
    }

    /**
     * Diagnoses the events of a process. A stall that had begun before the counted time and lasted into it counts from its begin; what was over
     * before that does not count, neither as a stall nor as a loss.
     *
     * @param time the time of the watch or of the window
     * @param events of the process and of the machine, by time
     * @param maxima the largest reading of each series
     * @param blind instruments that cannot see what a diagnosis needs, each one line
     */
    public static WatchFindings of(
            String process,
            Interval time,
            List<TimelineEvent> events,
            List<SocketSummary> sockets,
            Map<SeriesName, Long> maxima,
            List<String> blind) {
        Interval counted = fromStallsUnderWay(process, time, events);
        List<TimelineEvent> countedEvents =
                events.stream().filter(event -> isCounted(event, counted)).toList();
        Set<Integer> ports =
                sockets.stream().map(socket -> socket.identity().localPort()).collect(Collectors.toSet());
        DatagramLosses losses = DatagramLosses.of(process, countedEvents, ports);
        List<FeedInterruption> silences = FeedInterruption.of(process, counted, events, ports);
        long naks = countedEvents.stream()
                .flatMap(TimelineEvent.only(StreamEvent.NakSent.class))
                .filter(sent -> sent.process().equals(process))
                .mapToLong(StreamEvent.NakSent::naks)
                .sum();
        List<String> problems = new ArrayList<>(losses.others());
        problems.addAll(blind);
        // Without one, the process may send none at all, or its driver may be elsewhere.
        CaseFile.Receiver receiver = new CaseFile.Receiver(
                process,
                new CaseFile.Receiver.Events(0, 0),
                new CaseFile.Receiver.Losses(
                        naks > 0 ? naks : -1, losses.dropped().all(), 0, 0, 0));
        Case evidence = new Case(
                CaseDocument.recorded(
                        CaseDocument.Kind.WATCH,
                        process,
                        List.copyOf(portsToDiagnose(sockets, losses, silences, naks)),
                        counted,
                        MonotonicConverter.ofSystem().epochOffsetNs(),
                        CaseDocument.Counters.of(
                                List.of(new CaseDocument.Receiver(receiver, losses.dropped(), false, -1)),
                                maxima,
                                Map.of()),
                        problems,
                        blind),
                events,
                Map.of());
        Judgement judgement = Judgement.of(evidence);
        List<TimelineEvent> own =
                events.stream().filter(event -> event.process().equals(process)).toList();
        return new WatchFindings(
                process,
                new WatchFindings.Standstills(judgement.stalls(), 0),
                new WatchFindings.Feed(losses, naks, silences),
                judgement.diagnosis(),
                new WatchFindings.Details(CoreShared.summed(own), judgement.pageFaults(), judgement.own()),
                blind,
                evidence);
    }

    private static Interval fromStallsUnderWay(String process, Interval time, List<TimelineEvent> events) {
        long beginNs = events.stream()
                .filter(event -> event.type() == TimelineEventType.STALL
                        && event.process().equals(process))
                .filter(stall -> stall.endNs() - time.beginNs() > 0)
                .mapToLong(TimelineEvent::timeNs)
                .reduce(time.beginNs(), Math::min);
        return new Interval(beginNs, time.endNs());
    }

    private static boolean isCounted(TimelineEvent event, Interval counted) {
        return counted.contains(event.timeNs()) || counted.overlaps(event.interval());
    }

    /**
     * Returns the port of the socket that lost most, or else was deepest, and all at which something happened on the way. NAKs are for all
     * ports: a loss on the way is diagnosed by them, once.
     */
    private static Set<Integer> portsToDiagnose(
            List<SocketSummary> sockets, DatagramLosses losses, List<FeedInterruption> silences, long naks) {
        Set<Integer> ports = new LinkedHashSet<>();
        ports.add(feedPort(sockets));
        silences.forEach(silence -> ports.add(silence.stream().port()));
        if (naks == 0) {
            ports.addAll(losses.portsOnTheWay());
        }
        return ports;
    }

    /** Returns the port of the socket that lost most, or else was deepest; 0 without a socket. */
    private static int feedPort(List<SocketSummary> sockets) {
        return sockets.stream()
                .max(Comparator.comparingLong(SocketSummary::drops)
                        .thenComparingLong(each -> each.depths().maxDepthBytes()))
                .map(socket -> socket.identity().localPort())
                .orElse(0);
    }

    /** Returns these findings with those of the time that follows. */
    public WatchFindings and(WatchFindings later) {
        List<Stall> all = Stream.concat(standstills.stalls().stream(), later.standstills.stalls().stream())
                .sorted(Comparator.comparingDouble(Stall::durationMs).reversed())
                .toList();
        List<CoreShared> both = Stream.concat(details.shared().stream(), later.details.shared().stream())
                .toList();
        return new WatchFindings(
                process,
                new WatchFindings.Standstills(
                        all.stream()
                                .limit(MAX_STALLS)
                                .sorted(Comparator.comparingLong(Stall::atNs))
                                .toList(),
                        standstills.moreStalls()
                                + later.standstills.moreStalls()
                                + Math.max(0, all.size() - MAX_STALLS)),
                new WatchFindings.Feed(
                        feed.losses().and(later.feed.losses()),
                        feed.naks() + later.feed.naks(),
                        FeedInterruption.longest(
                                Stream.concat(feed.silences().stream(), later.feed.silences().stream()))),
                PortDiagnosis.together(List.of(diagnosis, later.diagnosis), true),
                new WatchFindings.Details(
                        CoreShared.summed(both),
                        longest(Stream.concat(details.pageFaults().stream(), later.details.pageFaults().stream())),
                        details.own().and(later.details.own())),
                Stream.concat(blind.stream(), later.blind.stream()).distinct().toList(),
                null);
    }

    private static List<PageFaultRecord> longest(Stream<PageFaultRecord> faults) {
        return faults.sorted(
                        Comparator.comparingDouble(PageFaultRecord::durationMs).reversed())
                .limit(MAX_FAULTS)
                .sorted(Comparator.comparingLong(PageFaultRecord::atNs))
                .toList();
    }

    /** Returns how certain the cause of a stall is; empty if the diagnosis does not name it. */
    public Optional<Confidence> confidenceOf(Stall stall) {
        return diagnosis.causes().stream()
                .filter(named -> named.cause().label().equals(stall.cause()))
                .map(NamedCause::confidence)
                .findFirst();
    }

    /** Returns true if nothing stalled and nothing was lost, as far as was seen. */
    public boolean isEmpty() {
        return standstills.stalls().isEmpty()
                && feed.losses().isEmpty()
                && feed.naks() == 0
                && diagnosis.causes().stream().allMatch(cause -> cause.lostDatagrams() == 0)
                && feed.silences().stream().noneMatch(FeedInterruption::isLoss);
    }

    /** Returns true if nothing stalled and nothing was lost, and all was seen. */
    public boolean isQuiet() {
        return isEmpty() && blind.isEmpty();
    }
}
