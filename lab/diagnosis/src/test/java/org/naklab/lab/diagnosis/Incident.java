package org.naklab.lab.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.testing.events.Samples;

/** A case file put together by hand: one second is 0, times are in milliseconds after it. */
final class Incident {
    static final long SECOND_NS = 1_000_000_000_000L;
    static final int FEED_PORT = 40_456;
    private static final String SERVICE = "mds";
    private static final String CONTEXT = "mds-context";
    private static final String GATEWAY = "gateway-1";

    private final List<TimelineEvent> events = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<SeriesName, Long> maxima = new TreeMap<>();
    private final Map<SeriesName, List<Reading>> readings = new TreeMap<>();
    private long naks;
    private long drops;
    private long gatewayNaks;
    private long gatewayDrops;
    private long ringFull;
    private long overruns;
    private long lostOnTheWayBytes;
    private long positionBytes;

    Incident stall(double atMs, double durationMs, Object... details) {
        return add(atMs, TimelineEventType.STALL, SERVICE, CONTEXT, with(details, "durationMs", durationMs));
    }

    Incident event(double atMs, TimelineEventType type, Object... details) {
        return add(atMs, type, SERVICE, CONTEXT, with(details));
    }

    private Incident event(double atMs, TimelineEventType type, Map<String, Object> details) {
        return add(atMs, type, SERVICE, CONTEXT, details);
    }

    Incident elsewhere(double atMs, TimelineEventType type, String process, Object... details) {
        return add(atMs, type, process, "", with(details));
    }

    Incident add(TimelineEvent event) {
        events.add(event);
        return this;
    }

    /** The context thread was off the CPU; the kernel recorded it. */
    Incident absent(double atMs, double ms, ThreadAbsence.State state, String kernelStack) {
        return add(ThreadAbsences.of(
                SERVICE,
                CONTEXT,
                new Interval(ns(atMs), ns(atMs + ms)),
                state == ThreadAbsence.State.PREEMPTED ? 0 : (long) (ms * 1e6),
                state,
                kernelStack));
    }

    Incident fault(double atMs, double ms, String place, String code) {
        return add(new PageFault(SERVICE, CONTEXT, new Interval(ns(atMs), ns(atMs + ms)), true, place, code));
    }

    /** The kernel recorder saw all longer absences. */
    Incident recorded() {
        return elsewhere(
                -5_000, TimelineEventType.KERNEL_RECORDED, SERVICE, "durationNs", 10_000_000_000L, "source", "bpf");
    }

    /** A socket of the service overflows, and what it lost is repaired. */
    Incident loss(double atMs) {
        drops += 300;
        event(atMs - 50, TimelineEventType.SOCKET_DEPTH_RISE);
        event(atMs, TimelineEventType.DATAGRAMS_DROPPED, "datagrams", 300L, "port", (long) FEED_PORT);
        return nak(atMs + 90);
    }

    /** As {@link #loss}, but seen with a sample that came late: by then the socket was empty again. */
    Incident lossSeenLate(double atMs, double gapMs) {
        drops += 300;
        add(new SocketEvent.Dropped(
                ns(atMs),
                SERVICE,
                new SocketEvent.Socket(7, "", FEED_PORT, ""),
                300,
                300,
                ns(atMs),
                new SocketEvent.Fill(0, 2_000_000, (long) (gapMs * 1e6))));
        return this;
    }

    /** A socket of the gateway overflows, and what it lost is repaired. */
    Incident lossAtGateway(double atMs) {
        gatewayDrops += 200;
        gatewayNaks += 2;
        elsewhere(atMs - 50, TimelineEventType.SOCKET_DEPTH_RISE, GATEWAY);
        elsewhere(atMs, TimelineEventType.DATAGRAMS_DROPPED, GATEWAY, "datagrams", 200L, "port", (long) FEED_PORT);
        elsewhere(atMs + 90, TimelineEventType.NAK_SENT, GATEWAY, "naks", 2L);
        elsewhere(atMs + 130, TimelineEventType.RETRANSMIT_RECEIVED, GATEWAY);
        return elsewhere(atMs + 150, TimelineEventType.REPAIRED, GATEWAY);
    }

    /** The kernel discards datagrams of the feed before they can fill a socket. */
    Incident discarded(double atMs, String reason, long count) {
        return elsewhere(
                atMs,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                "reason",
                reason,
                "count",
                count,
                "port",
                (long) FEED_PORT);
    }

    /** All places of this host at which a datagram can go astray were looked at. */
    Incident lookedEverywhere() {
        Object[] whole = {"durationNs", 20_000_000_000L};
        event(-6_000, TimelineEventType.UDP_COUNTED, whole);
        event(-6_000, TimelineEventType.PLACE_OBSERVED, with(whole, "place", "group membership"));
        event(-6_000, TimelineEventType.PLACE_OBSERVED, with(whole, "place", "other sockets of the port"));
        return event(-6_000, TimelineEventType.KERNEL_RECORDED, with(whole, "source", "bpf", "arrivals", true));
    }

    /** The service asks for something again, and gets it. */
    Incident nak(double atMs) {
        naks += 3;
        event(atMs, TimelineEventType.NAK_SENT, "naks", 3L);
        event(atMs + 40, TimelineEventType.RETRANSMIT_RECEIVED);
        return event(atMs + 60, TimelineEventType.REPAIRED);
    }

    Incident ringFull() {
        ringFull = 1_000;
        return this;
    }

    /** The ring had no room in that time, and nearly all room before and after. */
    Incident ringFull(double atMs, double ms) {
        reading("gauge.mds.ringDepthSlots", -4_000, 3);
        reading("gauge.mds.ringDepthSlots", atMs, 65_536);
        reading("gauge.mds.ringDepthSlots", atMs + ms, 5);
        return ringFull();
    }

    /** A reading of a series. */
    Incident reading(String series, double atMs, long value) {
        readings.computeIfAbsent(SeriesName.of(series), key -> new ArrayList<>())
                .add(new Reading(ns(atMs), value));
        return maximum(series, value);
    }

    /** The largest reading of a series. */
    Incident maximum(String series, long value) {
        maxima.merge(SeriesName.of(series), value, Math::max);
        return this;
    }

    /** Bytes of the order flow that came in at the gateway, read every 10 ms from then on. */
    Incident arrivals(double fromMs, double untilMs, long bytesIn10Ms) {
        return arrivals("gateway-1", 1001, fromMs, untilMs, 10, bytesIn10Ms);
    }

    /** Bytes of a stream come in at a receiver, so many in each period. */
    Incident arrivals(String receiver, int stream, double fromMs, double untilMs, double periodMs, long bytes) {
        String series = "aeron." + receiver + ".stream" + stream + ".session7.highestPositionBytes";
        for (double atMs = fromMs; atMs <= untilMs; atMs += periodMs) {
            positionBytes += bytes;
            reading(series, atMs, positionBytes);
        }
        return this;
    }

    /** Nobody sends NAKs, or counts them. */
    Incident withoutNaks() {
        naks = -1;
        return this;
    }

    /** Something is wrong that no instrument explains. */
    Incident problem(String line) {
        problems.add(line);
        return this;
    }

    /** Its driver's window is full. */
    Incident overrun() {
        overruns = 1_000;
        return this;
    }

    /** More is missing than its socket can have dropped. */
    Incident lostOnTheWay(long bytes) {
        lostOnTheWayBytes = bytes;
        return this;
    }

    CaseFile file() {
        List<CaseFile.Receiver> receivers = List.of(
                new CaseFile.Receiver(
                        SERVICE,
                        new CaseFile.Receiver.Events(10_000, 0),
                        new CaseFile.Receiver.Losses(naks, drops, ringFull, overruns, lostOnTheWayBytes)),
                new CaseFile.Receiver(
                        GATEWAY,
                        new CaseFile.Receiver.Events(10_000, 0),
                        new CaseFile.Receiver.Losses(gatewayNaks, gatewayDrops, 0, 0, 0)));
        Interval counted = new Interval(SECOND_NS - 5_000_000_000L, SECOND_NS + 5_000_000_000L);
        return new CaseFile(SERVICE, FEED_PORT, counted, events, receivers, maxima, readings, problems);
    }

    Diagnosis diagnose() {
        return Diagnosis.of(file());
    }

    private Incident add(
            double atMs, TimelineEventType type, String process, String thread, Map<String, Object> details) {
        events.add(TimelineEvent.of(ns(atMs), type, process, thread, Samples.whole(type.form(), details)));
        return this;
    }

    static long ns(double atMs) {
        return SECOND_NS + (long) (atMs * 1e6);
    }

    private static Map<String, Object> with(Object[] details, Object... more) {
        Map<String, Object> all = new TreeMap<>();
        for (Object[] pairs : Arrays.asList(details, more)) {
            for (int i = 0; i < pairs.length; i += 2) {
                all.put((String) pairs[i], pairs[i + 1]);
            }
        }
        return all;
    }
}
