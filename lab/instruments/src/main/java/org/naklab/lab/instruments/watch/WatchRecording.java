package org.naklab.lab.instruments.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.memory.MajorFaultStackInstrument;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.threads.ReceiverThreadFinder;
import org.naklab.lab.instruments.threads.ReceivingThreads;
import org.naklab.lab.instruments.threads.WatchedThreads;

/**
 * The flight recorder of a watch: the samples and events of all instruments, stacks of major faults by perf, and, of a JVM, safepoints and
 * collections by JFR. What this machine or that process does not give is listed, not missed.
 */
final class WatchRecording {
    private final IncidentRecorder recorder;
    private final Path directory;
    private final List<String> missing = new ArrayList<>();

    private WatchRecording(IncidentRecorder recorder, Path directory) {
        this.recorder = recorder;
        this.directory = directory;
    }

    /** @throws DetectException the directory cannot be made, or holds a window already */
    static WatchRecording into(Path directory) {
        if (Files.exists(directory.resolve(IncidentRecorder.TIMELINE))) {
            throw new DetectException(directory + " holds a window already: name another directory");
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new DetectException("cannot make " + directory + ": " + e.getMessage(), e);
        }
        IncidentRecorder recorder = new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS);
        recorder.armFrom(Long.MAX_VALUE);
        return new WatchRecording(recorder, directory);
    }

    IncidentRecorder recorder() {
        return recorder;
    }

    /**
     * Attaches perf and JFR. The recorder is armed when this returns, so that the effects of attaching do not trip it.
     *
     * @param inodes of the process's UDP sockets, as they are now
     */
    void attach(String process, long pid, Supplier<Set<Long>> inodes, InstrumentRunner observatory) {
        ReceivingThreads.Found receivers = receivers(pid, inodes.get());
        add(observatory, () -> {
            MajorFaultStackInstrument perf =
                    MajorFaultStackInstrument.attachToReceivers(process, pid, receivers, directory);
            recorder.addHook(perf::keepWindowAndEnd);
            return perf;
        });
        WatchedThreads watched = WatchedThreads.of();
        receivers.threads().forEach(thread -> watched.add(thread.name()));
        add(observatory, () -> {
            JvmInstrument jvm = JvmInstrument.ofProcess(
                    process, pid, JvmInstrument.DEFAULT_THRESHOLD, watched, observatory.events());
            recorder.addHook(jvm::keepWindow);
            observatory.add(new ReceiverThreadFinder(pid, inodes, watched));
            return jvm;
        });
        recorder.armFrom(System.nanoTime());
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

    private void add(InstrumentRunner observatory, Supplier<Instrument> attach) {
        try {
            observatory.add(attach.get());
        } catch (DetectException e) {
            missing.add(String.valueOf(e.getMessage()));
        }
    }
}
