package org.naklab.lab.replica.observation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.jvm.safepoint.SafepointLogInstrument;
import org.naklab.lab.instruments.linux.ForeignFile;
import org.naklab.lab.instruments.memory.MajorFaultStack;
import org.naklab.lab.instruments.memory.MajorFaultStackInstrument;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.process.ContainerSpec;

/**
 * The JFR and perf recordings of a run's service, and their parts of the flight recorder's window. Both use bounded buffers until
 * traffic ends.
 */
final class ServiceRecordings {
    private final InstrumentSet instruments;
    private final IncidentRecorder recorder;
    private final Path directory;
    private @Nullable JvmInstrument jvm;
    private @Nullable SafepointLogInstrument log;
    private @Nullable MajorFaultStackInstrument perf;
    private List<MajorFaultStack> faultStacks = List.of();

    /** @param directory of the run */
    ServiceRecordings(InstrumentSet instruments, IncidentRecorder recorder, Path directory) {
        this.instruments = instruments;
        this.recorder = recorder;
        this.directory = directory;
    }

    /** @param pause the shortest that is reported, of the JVM or of its context thread's waits */
    void attach(ObservedProcess process, Duration pause, TimelineListener events) {
        String name = process.name();
        long pid = process.pid();
        String contextThread = process.contextThread();
        if (process.isContained()) {
            instruments.noteBlind(new DetectException(
                    "JFR off: the recording would compete for the memory under test (safepoints and collections come "
                            + "from the JVM's log; Java locks and Java stacks are not recorded)"));
            Path inContainer = ForeignFile.inRoot(ProcPaths.of(pid), ContainerSpec.JVM_LOG.toString());
            log = instruments.add(() -> SafepointLogInstrument.attach(name, inContainer, pause, events));
        } else {
            jvm = instruments.add(() -> JvmInstrument.ofProcess(
                    name, pid, directory.resolve("jfr"), pause, WatchedThreads.of(contextThread), events));
        }
        MajorFaultStackInstrument faults =
                instruments.add(() -> MajorFaultStackInstrument.attach(name, pid, contextThread, directory));
        if (faults != null) {
            recorder.addHook((into, fromNs, toNs) -> faults.keepWindow(into));
        }
        perf = faults;
    }

    /**
     * While the service still lives: symbols are resolved by what it has mapped, and JFR's last safepoints and its part of the window are
     * dumped, for which the service halts for a moment.
     */
    void onFlowEnded() {
        JvmInstrument recording = jvm;
        if (recording != null) {
            notingBlind(recording::completeSafepoints);
        }
        if (recording != null && recorder.state() == IncidentRecorder.State.WRITTEN) {
            recorder.trip()
                    .ifPresent(trip -> notingBlind(() -> recording.keepWindow(
                            directory,
                            trip.timeNs() - IncidentRecorder.BEFORE_NS,
                            trip.timeNs() + IncidentRecorder.AFTER_NS)));
        }
        SafepointLogInstrument logged = log;
        if (logged != null) {
            notingBlind(logged::complete);
        }
        MajorFaultStackInstrument faults = perf;
        if (faults != null) {
            notingBlind(() -> faultStacks = faults.end());
        }
    }

    /** Handles the end of the service, after its final report. */
    void onServiceEnding() {
        JvmInstrument recording = jvm;
        if (recording != null) {
            recording.expectEnd();
        }
    }

    /** Returns the fault stacks of the receipt thread by time; complete when traffic has ended. */
    List<MajorFaultStack> faultStacks() {
        return faultStacks;
    }

    /** Returns the safepoints of the service by operation, complete when traffic has ended; null: nothing observes them. */
    @Nullable
    List<SafepointTable.Row> safepoints() {
        JvmInstrument recording = jvm;
        SafepointLogInstrument logged = log;
        if (recording == null) {
            return logged == null ? null : logged.safepoints();
        }
        return recording.safepoints();
    }

    private void notingBlind(Runnable action) {
        try {
            action.run();
        } catch (DetectException e) {
            instruments.noteBlind(e);
        }
    }
}
