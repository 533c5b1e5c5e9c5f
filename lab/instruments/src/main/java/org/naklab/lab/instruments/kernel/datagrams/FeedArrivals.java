package org.naklab.lab.instruments.kernel.datagrams;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;

/**
 * Reports when a feed was silent at all its receivers, when it came in much faster than usual, and who else sent to its port. What the receivers' threads did meanwhile does not matter: a datagram
 * counts when it comes in at the network device. One thread at a time.
 */
public final class FeedArrivals {
    private static final int MAX_ABSENCES = 4_096;
    /** A server may have any number of clients. */
    private static final int MAX_SENDERS = 1_024;

    private final Feed feed;
    private final Map<Long, String> receivers;
    private final IntFunction<String> processOfPort;
    private final TimelineListener listener;
    private final boolean isDeferred;
    private final ForeignSenders foreign;
    /** By the inode of the receiver's network namespace; empty if the receivers count themselves. */
    private final Map<Long, ArrivalBursts> bursts = new HashMap<>();

    private final Map<DatagramFlow, SilenceDetector> detectors = new HashMap<>();
    private final Map<String, Map<Long, Interval>> silences = new HashMap<>();
    private final Deque<ThreadAbsence> absences = new ArrayDeque<>();
    private final List<Silence> held = new ArrayList<>();

    private record Silence(DatagramFlow flow, Interval interval, long usualNs, boolean isOpen) {}

    /**
     * @param receivers the receiving processes by the inode of their network namespace, as text
     * @param processOfPort the observed process that sends from a port; empty for none
     * @param isDeferred whether the absences of threads are known at the end only
     */
    public FeedArrivals(
            Feed feed,
            Map<Long, String> receivers,
            IntFunction<String> processOfPort,
            boolean isDeferred,
            TimelineListener listener) {
        this.feed = feed;
        this.receivers = Map.copyOf(receivers);
        this.processOfPort = processOfPort;
        this.isDeferred = isDeferred;
        this.listener = listener;
        foreign = new ForeignSenders(feed, listener);
        // Where the sender is observed, so are the receivers' own counts, which are read more often.
        if (feed.sender().isEmpty()) {
            receivers.forEach((netns, receiver) -> bursts.put(netns, new ArrivalBursts(feed, receiver, listener)));
        }
    }

    /** Takes what a sender has sent so far. */
    public void onArrivals(DatagramFlow flow, ArrivalCount count) {
        if (!receivers.containsKey(flow.netns())) {
            return;
        }
        ArrivalBursts itsBursts = bursts.get(flow.netns());
        if (itsBursts != null && feed.isTo(flow)) {
            itsBursts.onArrivals(flow, count);
        }
        if (isOfFeed(flow)) {
            if (detectors.size() == MAX_SENDERS && !detectors.containsKey(flow)) {
                detectors.remove(longestSilent());
            }
            detectors
                    .computeIfAbsent(flow, key -> new SilenceDetector())
                    .onArrivals(count.firstNs(), count.lastNs(), count.count());
        } else if (processOfPort.apply(flow.sourcePort()).isEmpty()) {
            foreign.onArrivals(flow, count);
        }
    }

    /** Returns whether the feed has come in from the same address to the same address and port, whatever network namespace these datagrams are in. Those of a loopback never leave theirs. */
    public boolean hasArrivedFrom(DatagramFlow flow) {
        return !isLoopback(flow.source())
                && detectors.keySet().stream()
                        .anyMatch(known -> known.source().equals(flow.source())
                                && known.destination().equals(flow.destination())
                                && known.port() == flow.port());
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1");
    }

    /** Takes a time in which a sender sent nothing. */
    public void onGap(DatagramFlow flow, Interval gap) {
        SilenceDetector detector = detectors.get(flow);
        if (detector != null && detector.onGap(gap)) {
            onSilence(flow, gap, detector, false);
        }
    }

    /** Takes a wait of a thread; those of the sender's tell why a feed is silent. */
    public void onAbsence(ThreadAbsence absence) {
        if (absence.process().equals(feed.sender())) {
            if (absences.size() == MAX_ABSENCES) {
                absences.removeFirst();
            }
            absences.addLast(absence);
        }
    }

    /** Reports what is still going on. */
    public void finish(long endNs) {
        List<Silence> reported = List.copyOf(held);
        held.clear();
        reported.forEach(this::report);
        detectors.forEach((flow, detector) -> {
            Interval gap = new Interval(detector.lastNs(), Math.max(detector.lastNs(), endNs));
            if (detector.isSilence(gap)) {
                onSilence(flow, gap, detector, true);
            }
        });
        held.forEach(this::report);
        held.clear();
        foreign.endBefore(Long.MAX_VALUE);
        bursts.values().forEach(ArrivalBursts::finish);
    }

    private boolean isOfFeed(DatagramFlow flow) {
        return feed.isTo(flow)
                && (feed.sender().isEmpty()
                        || processOfPort.apply(flow.sourcePort()).equals(feed.sender()));
    }

    private DatagramFlow longestSilent() {
        return Collections.min(detectors.entrySet(), Comparator.comparingLong(entry -> entry.getValue()
                        .lastNs()))
                .getKey();
    }

    /** Of a unicast feed, others may have sent meanwhile. */
    private boolean isHeardFromOthers(DatagramFlow flow, Interval gap) {
        return feed.isUnicast()
                && detectors.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(flow))
                        .anyMatch(entry -> entry.getValue().lastNs() - gap.beginNs() > 0);
    }

    /** A feed that still reaches one of the receivers is not silent. */
    private void onSilence(DatagramFlow flow, Interval gap, SilenceDetector detector, boolean isOpen) {
        if (isHeardFromOthers(flow, gap)) {
            return;
        }
        Map<Long, Interval> everywhere = silences.computeIfAbsent(flow.sender(), key -> new HashMap<>());
        everywhere.put(flow.netns(), gap);
        Optional<Interval> common = Optional.of(gap);
        for (long namespace : receivers.keySet()) {
            Interval there = everywhere.getOrDefault(namespace, new Interval(0, 0));
            common = common.flatMap(interval -> interval.intersection(there));
        }
        common.ifPresent(interval -> {
            Silence silence = new Silence(flow, interval, detector.usualNs(gap.beginNs()), isOpen);
            if (isDeferred) {
                held.add(silence);
            } else {
                report(silence);
            }
        });
    }

    private void report(Silence silence) {
        listener.onEvent(new DatagramEvent.Silence(
                silence.interval(),
                feed.sender().isEmpty() ? TimelineEvent.HOST : feed.sender(),
                new DatagramEvent.Silence.From(
                        silence.flow().sender(),
                        silence.flow().destination(),
                        feed.port(),
                        String.join(",", new TreeMap<>(receivers).values())),
                new DatagramEvent.Silence.Pace(silence.usualNs(), silence.isOpen()),
                longestOf(silence.interval())
                        .map(longest -> new DatagramEvent.SenderAbsence(
                                longest.state().label(), longest.lengthNs(), longest.thread()))
                        .orElse(null)));
    }

    /** Tells what one thread of the sender was for how much of a silence. */
    private record Absent(String thread, ThreadAbsence.State state, long lengthNs) {
        private static Absent sum(Absent first, Absent second) {
            return new Absent(first.thread, first.state, first.lengthNs + second.lengthNs);
        }
    }

    private Optional<Absent> longestOf(Interval silence) {
        Map<List<Object>, Absent> sums = new LinkedHashMap<>();
        for (ThreadAbsence absence : absences) {
            absence.interval()
                    .intersection(silence)
                    .map(both -> new Absent(absence.thread(), absence.state(), both.lengthNs()))
                    .ifPresent(part -> sums.merge(List.of(part.thread(), part.state()), part, Absent::sum));
        }
        return sums.values().stream().max(Comparator.comparingLong(Absent::lengthNs));
    }
}
