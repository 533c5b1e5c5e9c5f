package org.naklab.lab.instruments.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.memory.MajorFaultStackInstrument;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.WindowListener;
import org.naklab.lab.instruments.threads.ReceivingThreads;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.lab.instruments.trace.TraceRing;
import org.naklab.lab.instruments.trace.TraceUndo;

/**
 * The flight recorder of a watch: the samples and events of all instruments, stacks of major faults by perf, and, of a JVM, safepoints and
 * collections by JFR. What this machine or that process does not give is listed, not missed.
 */
final class WatchRecording {
    private final @Nullable IncidentRecorder recorder;
    private final Path directory;
    private final BooleanSupplier hasMore;
    private final @Nullable TraceUndo undo;
    /** These write parts of a window; the list is complete when the instruments are attached. */
    private final List<WindowListener> hooks = new CopyOnWriteArrayList<>();

    private final List<String> missing = new ArrayList<>();
    private volatile @Nullable JvmInstrument recorded;

    private WatchRecording(
            @Nullable IncidentRecorder recorder, Path directory, BooleanSupplier hasMore, @Nullable TraceUndo undo) {
        this.recorder = recorder;
        this.directory = directory;
        this.hasMore = hasMore;
        this.undo = undo;
    }

    /** @param undo removes the kernel's trace if this process is killed; {@code null}: the kernel does not trace */
    static WatchRecording into(WindowDirectories directories, @Nullable TraceUndo undo) {
        IncidentRecorder recorder = IncidentRecorder.untilDrained(directories);
        recorder.armFrom(Long.MAX_VALUE);
        return new WatchRecording(recorder, directories.directory(), directories::hasMore, undo);
    }

    /**
     * Creates one without a recorder of its own: its users have theirs, one after the other or at the same time, see {@link #newRecorder}.
     *
     * @param directory for perf's files; exists
     */
    static WatchRecording shared(Path directory) {
        return new WatchRecording(null, directory, () -> true, null);
    }

    /** Returns its own recorder; {@code null}: its users have theirs. */
    @Nullable
    IncidentRecorder recorder() {
        return recorder;
    }

    /** Returns a recorder with the parts that perf and JFR have of its windows. It is armed, and not fed. */
    IncidentRecorder newRecorder(WindowDirectories directories) {
        IncidentRecorder another = IncidentRecorder.untilDrained(directories);
        hooks.forEach(another::addHook);
        return another;
    }

    private void addHook(WindowListener hook) {
        hooks.add(hook);
        if (recorder != null) {
            recorder.addHook(hook);
        }
    }

    /**
     * Attaches perf and JFR. The recorder is to be armed after this, so that the effects of attaching do not trip it.
     *
     * @param inodes of the process's UDP sockets, as they are now
     * @param watched the threads that receive, as they are found
     * @param events receives what JFR reports
     */
    void attach(
            String process,
            long pid,
            Supplier<Set<Long>> inodes,
            WatchedThreads watched,
            TimelineListener events,
            InstrumentRunner runner) {
        // Threads that receive later are not known yet.
        ReceivingThreads.Found receivers =
                recorder == null ? ReceivingThreads.Found.NONE : receivers(pid, inodes.get());
        add(runner, () -> {
            MajorFaultStackInstrument perf =
                    MajorFaultStackInstrument.attachToReceivers(process, pid, receivers, directory);
            addHook((into, fromNs, toNs) -> keep(perf, into, fromNs, toNs));
            return perf;
        });
        add(runner, () -> {
            long beganNs = System.nanoTime();
            JvmInstrument jvm = JvmInstrument.ofProcess(process, pid, JvmInstrument.DEFAULT_THRESHOLD, watched, events);
            TimelineListener acts = runner.events();
            tell(acts, process, beganNs, "start JFR");
            addHook((into, fromNs, toNs) -> dump(jvm, process, acts, into, new Interval(fromNs, toNs)));
            recorded = jvm;
            return jvm;
        });
        trace(runner);
    }

    /** Halts the JVM for a moment, also where that fails. */
    private static void dump(JvmInstrument jvm, String process, TimelineListener acts, Path into, Interval window) {
        long beganNs = System.nanoTime();
        try {
            jvm.keepWindow(into, window.beginNs(), window.endNs());
        } finally {
            tell(acts, process, beganNs, "dump JFR");
        }
    }

    private static void tell(TimelineListener acts, String process, long beganNs, String act) {
        acts.onEvent(new HostEvent.Acted(new Interval(beganNs, System.nanoTime()), process, act));
    }

    private void trace(InstrumentRunner runner) {
        TraceUndo undoing = undo;
        if (undoing != null) {
            add(runner, () -> {
                TraceRing ring = TraceRing.start(IncidentRecorder.DEFAULT_TRIPS, List.of(), hasMore, undoing);
                addHook(ring);
                runner.addAtOnce(ring);
                ring.armFrom(System.nanoTime());
                return ring;
            });
        }
    }

    /** The symbols of stacks are resolved once, with the last window: that takes long. */
    private void keep(MajorFaultStackInstrument perf, Path into, long fromNs, long toNs) {
        if (hasMore.getAsBoolean()) {
            perf.keepWindow(into);
        } else {
            perf.keepWindowAndEnd(into, fromNs, toNs);
        }
    }

    /** Returns the safepoints by operation so far; null: the process is no JVM, or JFR does not observe it. */
    @Nullable
    List<SafepointTable.Row> safepoints() {
        JvmInstrument jvm = recorded;
        return jvm == null ? null : jvm.safepoints();
    }

    List<String> missing() {
        return List.copyOf(missing);
    }

    private ReceivingThreads.Found receivers(long pid, Set<Long> inodes) {
        try {
            return new ReceivingThreads(pid).find(inodes);
        } catch (DetectException e) {
            missing.add(String.valueOf(e.getMessage()));
            return ReceivingThreads.Found.NONE;
        }
    }

    private void add(InstrumentRunner runner, Supplier<Instrument> attach) {
        try {
            runner.add(attach.get());
        } catch (DetectException e) {
            missing.add(String.valueOf(e.getMessage()));
        }
    }
}
