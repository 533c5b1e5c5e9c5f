package org.naklab.lab.report.export;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Writes a timeline as a trace in JSON, which ui.perfetto.dev and chrome://tracing open: a track for each kind of event of each thread, and an
 * arrow from the thread that ended a wait to the one that waited. Times are microseconds of CLOCK_MONOTONIC.
 */
public final class PerfettoTrace {
    /** A wake-up has no length; one that can be seen and clicked. */
    private static final double WAKE_US = 1;

    private final RecordedTimeline timeline;
    private final ObjectNode trace = Json.object().put("displayTimeUnit", "ms");
    private final ArrayNode events = trace.putArray("traceEvents");
    private final Map<String, Integer> processes = new LinkedHashMap<>();
    private final Map<String, Integer> tracks = new LinkedHashMap<>();
    private int flows;

    private PerfettoTrace(RecordedTimeline timeline) {
        this.timeline = timeline;
    }

    /** Returns the document. */
    public static ObjectNode of(RecordedTimeline timeline) {
        return new PerfettoTrace(timeline).write();
    }

    private ObjectNode write() {
        timeline.events().forEach(this::add);
        timeline.absences().forEach(this::addWake);
        return trace;
    }

    /** The absences of a thread have the track that has its name alone. */
    private void add(TimelineEvent event) {
        String kind = event.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        boolean isAbsence = event.type() == TimelineEventType.THREAD_ABSENT;
        String track = isAbsence ? event.thread() : (event.thread() + ' ' + kind).strip();
        long lengthNs = event.interval().lengthNs();
        ObjectNode node = event(lengthNs > 0 ? "X" : "i", nameOf(event, kind), event.process(), track, event.timeNs());
        if (lengthNs > 0) {
            node.put("dur", lengthNs / Units.NS_PER_US);
        } else {
            node.put("s", "t");
        }
        ObjectNode arguments = node.putObject("args");
        event.details().forEach((key, value) -> arguments.putPOJO(key, value));
        if (isAbsence) {
            addStack(arguments, "stack", timeline.stackOf(ThreadAbsence.of(event)));
        }
    }

    private static String nameOf(TimelineEvent event, String kind) {
        if (event.type() == TimelineEventType.THREAD_ABSENT) {
            return "off CPU, " + ThreadAbsence.of(event).state().label();
        }
        return event.as(ThreadEvent.JavaWait.class)
                .map(each -> each.call().what())
                .orElse(kind);
    }

    private void addWake(ThreadAbsence absence) {
        if (absence.waker().isEmpty() || absence.blockedNs() == 0) {
            return;
        }
        String process = absence.isWakerOfProcess() ? absence.process() : "other processes";
        String track = absence.waker() + " wakes";
        long wokenNs = absence.blocked().endNs();
        ObjectNode wake =
                event("X", "wakes " + absence.thread(), process, track, wokenNs).put("dur", WAKE_US);
        addStack(wake.putObject("args"), "stack", timeline.wakerStackOf(absence));
        flows++;
        event("s", "wakes", process, track, wokenNs).put("id", flows).put("cat", "wake");
        event("f", "wakes", absence.process(), absence.thread(), wokenNs)
                .put("id", flows)
                .put("cat", "wake")
                .put("bp", "e");
    }

    private ObjectNode event(String phase, String name, String process, String track, long timeNs) {
        int pid = pidOf(process);
        int tid = tidOf(process, pid, track);
        return events.addObject()
                .put("ph", phase)
                .put("name", name)
                .put("pid", pid)
                .put("tid", tid)
                .put("ts", timeNs / Units.NS_PER_US);
    }

    /** Names of processes on the timeline need not be ids. */
    private int pidOf(String process) {
        Integer known = processes.get(process);
        if (known != null) {
            return known;
        }
        int pid = processes.size() + 1;
        processes.put(process, pid);
        metadata("process_name", pid, 0, process);
        return pid;
    }

    private int tidOf(String process, int pid, String track) {
        String key = process + '\n' + track;
        Integer known = tracks.get(key);
        if (known != null) {
            return known;
        }
        int tid = tracks.size() + 1;
        tracks.put(key, tid);
        metadata("thread_name", pid, tid, track);
        return tid;
    }

    private void metadata(String what, int pid, int tid, String name) {
        events.addObject()
                .put("ph", "M")
                .put("name", what)
                .put("pid", pid)
                .put("tid", tid)
                .putObject("args")
                .put("name", name);
    }

    private static void addStack(ObjectNode arguments, String key, List<String> stack) {
        if (!stack.isEmpty()) {
            ArrayNode frames = arguments.putArray(key);
            stack.forEach(frames::add);
        }
    }
}
