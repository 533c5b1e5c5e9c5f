package org.naklab.lab.instruments.kernel;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadBusy;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.core.timeline.WakerWait;
import org.naklab.lab.instruments.kernel.symbols.MappedPlace;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.lab.instruments.linux.NetworkNamespace;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Reports, from the kernel's record, when and why the threads that receive were off the CPU, the page faults that they waited for, and the UDP datagrams
 * that the kernel discarded in the network namespaces of these processes and of this one.
 */
public final class KernelInstrument implements Instrument {
    /** Names in the kernel are cut after so many bytes. */
    private static final int COMM_BYTES = 15;

    private static final long PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final Map<Integer, Subject> subjects = new HashMap<>();
    /** Of all threads of these processes; the recorder's thread's own. */
    private final WaitChain chain = new WaitChain();

    private final Set<Long> namespaces = new HashSet<>();
    private final TimelineListener listener;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final long beganNs;
    private final KernelRecorder recorder;
    private boolean isFinished;

    /**
     * A process whose threads are recorded.
     *
     * @param pid on the host
     * @param name of the process, as on the timeline
     * @param thread the name of the thread that receives
     * @param isMemoryUnderTest whether pages of its files must not come into memory by being looked at
     */
    public record Subject(long pid, String name, String thread, boolean isMemoryUnderTest) {
        private String comm() {
            return thread.length() <= COMM_BYTES ? thread : thread.substring(0, COMM_BYTES);
        }

        private boolean isOfThread(TaskId task) {
            return task.comm().equals(comm());
        }
    }

    private KernelInstrument(Collection<Subject> subjects, TimelineListener listener) {
        subjects.forEach(subject -> this.subjects.put(Math.toIntExact(subject.pid()), subject));
        this.listener = listener;
        namespaces.add(NetworkNamespace.inodeOf(ProcessHandle.current().pid()));
        subjects.forEach(subject -> namespaces.add(NetworkNamespace.inodeOf(subject.pid())));
        RecorderSettings settings = RecorderSettings.DEFAULT.ofThreads(
                subjects.stream().map(Subject::comm).distinct().toList());
        recorder = KernelRecorder.start(
                subjects.stream().map(Subject::pid).toList(),
                subjects.stream().anyMatch(Subject::isMemoryUnderTest) ? settings.asDeferred() : settings,
                this::onRecord);
        beganNs = System.nanoTime();
    }

    /**
     * Starts recording; returns when the recorder works.
     *
     * @param listener receives the events, on a thread of the recorder
     * @throws DetectException if no source is available; the message says why, and what to do
     */
    public static KernelInstrument start(Collection<Subject> subjects, TimelineListener listener) {
        return new KernelInstrument(subjects, listener);
    }

    /** Returns the source of the records. */
    public RecorderSource source() {
        return recorder.source();
    }

    @Override
    public String describe() {
        String source = "waits and page faults of receiving threads, discarded datagrams, by "
                + recorder.source().description();
        return recorder.missing().isEmpty() ? source : source + "; " + String.join("; ", recorder.missing());
    }

    /** Nothing to poll: the recorder calls. */
    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public long periodNs() {
        return PERIOD_NS;
    }

    /** Ends the recording, and reports for which time it is complete. Places are resolved by what the processes have mapped, so they should still live. */
    public synchronized void finish() {
        if (isFinished) {
            return;
        }
        isFinished = true;
        long endNs = System.nanoTime();
        recorder.close();
        if (failure.get() != null) {
            return;
        }
        for (Subject subject : subjects.values()) {
            listener.onEvent(TimelineEvent.of(
                    beganNs,
                    TimelineEventType.KERNEL_RECORDED,
                    subject.name(),
                    Map.of(
                            "durationNs",
                            endNs - beganNs,
                            "source",
                            recorder.source().label())));
        }
    }

    /**
     * Ends the recording if it goes on.
     *
     * @throws DetectException if records were lost
     */
    @Override
    public void close() {
        finish();
        String lost = failure.get();
        if (lost != null) {
            throw new DetectException("the kernel's record is incomplete: " + lost);
        }
    }

    private void onRecord(KernelRecord kernelRecord) {
        if (kernelRecord instanceof Absence absence) {
            onAbsence(absence);
        } else if (kernelRecord instanceof BusySpell spell) {
            onSpell(spell);
        } else if (kernelRecord instanceof PageFaultSpan fault) {
            onFault(fault);
        } else if (kernelRecord instanceof DatagramDrops drops) {
            onDrops(drops);
        } else if (kernelRecord instanceof LostRecords lost) {
            failure.compareAndSet(null, lost.count() + " " + lost.what() + " lost");
        } else if (kernelRecord instanceof RecorderEnd end && !end.reason().isEmpty()) {
            failure.compareAndSet(null, end.reason());
        }
    }

    private void onAbsence(Absence absence) {
        chain.add(absence);
        Subject subject = subjects.get(absence.task().pid());
        if (subject == null || !subject.isOfThread(absence.task())) {
            return;
        }
        Waking waking = absence.waking();
        TaskId next = absence.next();
        Interval interval = absence.interval(System.nanoTime());
        listener.onEvent(new ThreadAbsence(
                        subject.name(),
                        subject.thread(),
                        interval,
                        absence.isOpen() ? interval.lengthNs() : absence.blockedNs(),
                        stateOf(absence.state()),
                        waking == null ? "" : waking.waker().comm(),
                        waking != null && waking.waker().pid() == absence.task().pid(),
                        waking != null && waking.byInterrupt(),
                        next == null || next.isIdle() ? "" : next.comm(),
                        halter(absence),
                        wakerWait(absence),
                        absence.kernelStack(),
                        absence.userStack().stream().map(KernelInstrument::name).toList())
                .toEvent());
    }

    private void onSpell(BusySpell spell) {
        Subject subject = subjects.get(spell.task().pid());
        if (subject != null) {
            listener.onEvent(new ThreadBusy(
                            subject.name(),
                            spell.task().comm(),
                            new Interval(spell.beginNs(), spell.endNs()),
                            spell.cpuNs(),
                            spell.runnableNs(),
                            spell.faultNs())
                    .toEvent());
        }
    }

    private @Nullable WakerWait wakerWait(Absence absence) {
        return chain.beforeWaking(absence)
                .map(wait -> new WakerWait(
                        absence.interval(0)
                                .intersection(wait.interval(absence.endNs()))
                                .map(Interval::lengthNs)
                                .orElse(0L),
                        stateOf(wait.state()),
                        wait.waking() == null || wait.waking().byInterrupt()
                                ? ""
                                : wait.waking().waker().comm(),
                        wait.kernelStack()))
                .orElse(null);
    }

    /** A group by its directory, a process by its name and id. */
    private static String halter(Absence absence) {
        TaskId by = absence.by();
        return by == null ? absence.cgroup() : by.comm() + " (process " + by.pid() + ")";
    }

    /** A frame without a symbol is its module. */
    private static String name(StackFrame frame) {
        return frame.symbol().isEmpty() ? "[" + fileName(frame.module()) + "]" : frame.symbol();
    }

    private static String fileName(String path) {
        return path.isEmpty() ? "unknown" : path.substring(path.lastIndexOf('/') + 1);
    }

    private static ThreadAbsence.State stateOf(WaitState state) {
        return switch (state) {
            case RUNNABLE -> ThreadAbsence.State.RUNNABLE;
            case PREEMPTED -> ThreadAbsence.State.PREEMPTED;
            case SLEEPING -> ThreadAbsence.State.SLEEPING;
            case BLOCKED -> ThreadAbsence.State.BLOCKED;
            case FROZEN -> ThreadAbsence.State.FROZEN;
            case STOPPED -> ThreadAbsence.State.STOPPED;
            case TRACED -> ThreadAbsence.State.TRACED;
            case IDLE, OTHER -> ThreadAbsence.State.OTHER;
        };
    }

    private void onFault(PageFaultSpan fault) {
        Subject subject = subjects.get(fault.task().pid());
        if (subject == null || !subject.isOfThread(fault.task()) || fault.endNs() == 0) {
            return;
        }
        listener.onEvent(new PageFault(
                        subject.name(),
                        subject.thread(),
                        new Interval(fault.beginNs(), fault.endNs()),
                        fault.major(),
                        placeOf(fault.target()),
                        placeOf(fault.code()))
                .toEvent());
    }

    private static String placeOf(@Nullable MappedPlace place) {
        return place == null ? "" : place.shortName();
    }

    /** Other network namespaces may use the same addresses and ports. */
    private void onDrops(DatagramDrops drops) {
        if (drops.netns() != 0 && !namespaces.contains(drops.netns())) {
            return;
        }
        Map<String, Object> details = new TreeMap<>(Map.of(
                "durationNs", drops.endNs() - drops.beginNs(),
                "count", drops.count(),
                "reason", drops.reason(),
                "source", drops.source(),
                "destination", drops.destination(),
                "port", (long) drops.port()));
        listener.onEvent(
                TimelineEvent.of(drops.beginNs(), TimelineEventType.DATAGRAMS_DISCARDED, TimelineEvent.HOST, details));
    }
}
