package org.naklab.lab.report.export;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.JvmEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadEvent.JavaWait;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;

/** The events of a run or of a recorded window, by time, with what an export looks for again and again. */
public final class RecordedTimeline {
    private static final List<String> NAMES = List.of("window-timeline.jsonl", "timeline.jsonl");
    /** JFR and the kernel measure the same wait at two places. */
    private static final long SAME_WAIT_NS = 5_000_000L;

    private final List<TimelineEvent> events;
    private final List<ThreadAbsence> absences;
    private final List<JavaWait> javaWaits;

    /** @param unsorted events of all processes */
    RecordedTimeline(Collection<TimelineEvent> unsorted) {
        this(
                unsorted.stream()
                        .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                        .toList(),
                unsorted.stream()
                        .filter(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                        .map(ThreadAbsence::of)
                        .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                        .toList(),
                unsorted.stream().flatMap(TimelineEvent.only(JavaWait.class)).toList());
    }

    private RecordedTimeline(List<TimelineEvent> events, List<ThreadAbsence> absences, List<JavaWait> javaWaits) {
        this.events = events;
        this.absences = absences;
        this.javaWaits = javaWaits;
    }

    /**
     * Reads the events of a directory.
     *
     * @throws InputException it has none, or they cannot be read
     */
    public static RecordedTimeline read(Path directory) {
        Path file = NAMES.stream()
                .map(directory::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new InputException(directory + " has no timeline: nothing can be exported"));
        try {
            return new RecordedTimeline(TimelineReader.readWhole(file));
        } catch (DetectException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the same, with more waits of Java threads: the stacks of those that woke others. They are no events of the trace. */
    public RecordedTimeline with(Collection<JavaWait> more) {
        List<JavaWait> all = new ArrayList<>(javaWaits);
        all.addAll(more);
        return new RecordedTimeline(events, absences, all);
    }

    /** Returns the threads of its own process that ended the waits of a process. */
    public Set<String> wakersIn(String process) {
        return absences.stream()
                .filter(absence -> absence.isWakerOfProcess()
                        && absence.process().equals(process)
                        && !absence.waker().isEmpty())
                .map(ThreadAbsence::waker)
                .collect(Collectors.toSet());
    }

    /** Returns the process of which a JVM told something; empty if none did, or more than one. */
    public Optional<String> jvm() {
        List<String> told = events.stream()
                .filter(event -> event instanceof ThreadEvent.OfJvm || event instanceof JvmEvent)
                .map(TimelineEvent::process)
                .distinct()
                .toList();
        return told.size() == 1 ? Optional.of(told.get(0)) : Optional.empty();
    }

    List<TimelineEvent> of(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type).toList();
    }

    List<TimelineEvent> events() {
        return events;
    }

    List<ThreadAbsence> absences() {
        return absences;
    }

    /** Returns where a thread waited, innermost first: its Java frames if the JVM told them, or else those of the kernel and of the program. */
    List<String> stackOf(ThreadAbsence absence) {
        List<String> stack = new ArrayList<>(absence.kernelStack());
        Optional<List<String>> java = javaStack(absence.process(), absence.thread(), absence.blocked());
        stack.addAll(java.orElse(absence.userStack()));
        return stack;
    }

    /** Returns what the thread that ended a wait did before, innermost first; empty if it is not known. */
    List<String> wakerStackOf(ThreadAbsence absence) {
        if (absence.waker().isEmpty()) {
            return List.of();
        }
        List<String> stack = new ArrayList<>(
                absence.wakerWait() == null ? List.of() : absence.wakerWait().kernelStack());
        if (absence.isWakerOfProcess()) {
            javaStack(absence.process(), absence.waker(), absence.blocked()).ifPresent(stack::addAll);
        }
        return stack;
    }

    /** Returns the frames of the longest wait of a Java thread in a time. */
    private Optional<List<String>> javaStack(String process, String thread, Interval time) {
        return javaWaits.stream()
                .filter(wait -> wait.process().equals(process)
                        && wait.thread().equals(thread)
                        && !wait.call().stack().isEmpty())
                .filter(wait -> new Interval(wait.timeNs() - SAME_WAIT_NS, wait.endNs() + SAME_WAIT_NS).overlaps(time))
                .max(Comparator.comparingLong(wait -> wait.interval().lengthNs()))
                .map(each -> each.call().stack());
    }
}
