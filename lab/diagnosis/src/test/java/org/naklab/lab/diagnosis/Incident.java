package org.naklab.lab.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** A case file put together by hand: one second is 0, times are in milliseconds after it. */
final class Incident {
    static final long SECOND_NS = 1_000_000_000_000L;
    static final int FEED_PORT = 40_456;
    private static final String SERVICE = "mds";
    private static final String CONTEXT = "mds-context";

    private final List<TimelineEvent> events = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long naks;
    private long drops;
    private long ringFull;
    private long overruns;
    private long lostOnTheWayBytes;

    Incident stall(double atMs, double durationMs, Object... details) {
        return add(atMs, TimelineEventType.STALL, SERVICE, CONTEXT, with(details, "durationMs", durationMs));
    }

    Incident event(double atMs, TimelineEventType type, Object... details) {
        return add(atMs, type, SERVICE, CONTEXT, with(details));
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
                        kernelStack)
                .toEvent());
    }

    Incident fault(double atMs, double ms, String place, String code) {
        return add(new PageFault(SERVICE, CONTEXT, new Interval(ns(atMs), ns(atMs + ms)), true, place, code).toEvent());
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
        event(atMs, TimelineEventType.DATAGRAMS_DROPPED, "datagrams", 300L);
        return nak(atMs + 90);
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
                new CaseFile.Receiver(SERVICE, 10_000, 0, naks, drops, ringFull, overruns, lostOnTheWayBytes),
                new CaseFile.Receiver("gateway-1", 10_000, 0, 0, 0, 0, 0, 0));
        Interval counted = new Interval(SECOND_NS - 5_000_000_000L, SECOND_NS + 5_000_000_000L);
        return new CaseFile(SERVICE, FEED_PORT, counted, events, receivers, Map.of(), problems);
    }

    Diagnosis diagnose() {
        return Diagnosis.of(file());
    }

    private Incident add(
            double atMs, TimelineEventType type, String process, String thread, Map<String, Object> details) {
        events.add(new TimelineEvent(ns(atMs), type, process, thread, details));
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
