package org.naklab.lab.instruments.watch;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.AeronDiscovery;
import org.naklab.lab.instruments.linux.CpuUsageHistory;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.threads.HiccupInstrument;
import org.naklab.lab.instruments.threads.ProcessThreadsInstrument;

/**
 * The instruments on any running process that receives UDP, Aeron or not, Java or not: sockets, threads, memory, timer lateness, and Aeron's
 * counters if the process has a driver's file mapped. Events are told as they happen, on one thread.
 */
public final class Watch implements AutoCloseable {
    private final InstrumentRunner observatory;
    private final SocketDepthInstrument sockets;
    private final @Nullable WatchRecording recording;

    private Watch(InstrumentRunner observatory, SocketDepthInstrument sockets, @Nullable WatchRecording recording) {
        this.observatory = observatory;
        this.sockets = sockets;
        this.recording = recording;
    }

    /**
     * Attaches and starts.
     *
     * @param process name for events
     * @param consumers take all samples, for instance a {@link IncidentRecorder}; closed with the watch
     * @param errorHandler of what should not happen
     * @throws DetectException no such process, or its sockets are out of reach
     */
    public static Watch attach(
            String process,
            long pid,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        return attach(process, pid, listener, consumers, null, errorHandler);
    }

    /**
     * Attaches an incident recorder too, to whose window perf and, for a JVM, JFR add their parts; a recording is started in
     * that JVM.
     *
     * @param directory for the window; made if there is none
     * @throws DetectException as above, or the directory cannot be made, or holds a window already
     */
    public static Watch attachRecording(
            String process, long pid, Path directory, TimelineListener listener, ErrorHandler errorHandler) {
        WatchRecording recording = WatchRecording.into(directory);
        return attach(process, pid, listener, List.of(recording.recorder()), recording, errorHandler);
    }

    private static Watch attach(
            String process,
            long pid,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            @Nullable WatchRecording recording,
            ErrorHandler errorHandler) {
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new DetectException("no process " + pid);
        }
        NanoClock clock = SystemNanoClock.INSTANCE;
        InstrumentRunner observatory = new InstrumentRunner(clock, listener, consumers, errorHandler);
        TimelineListener events = observatory.events();
        try {
            SocketDepthInstrument sockets = SocketDepthInstrument.attach(process, pid, events, clock);
            observatory.add(sockets);
            observatory.add(new ProcessThreadsInstrument(process, pid, events));
            observatory.add(new MemoryInstrument(process, pid, events));
            observatory.add(HiccupInstrument.start(HiccupInstrument.DEFAULT_THRESHOLD_NS, events, clock));
            observatory.add(new AeronDiscovery(process, pid, events, clock, observatory::add));
            observatory.start();
            if (recording != null) {
                recording.attach(process, pid, () -> inodes(sockets), observatory);
            }
            return new Watch(observatory, sockets, recording);
        } catch (DetectException e) {
            observatory.close();
            throw e;
        }
    }

    private static Set<Long> inodes(SocketDepthInstrument sockets) {
        return sockets.summaries().stream()
                .map(socket -> socket.identity().inode())
                .collect(Collectors.toSet());
    }

    /** Returns what each instrument measures and cannot measure. */
    public List<String> describe() {
        return observatory.describe();
    }

    /** Returns the summaries of all sockets seen so far. */
    public List<SocketSummary> sockets() {
        return sockets.summaries();
    }

    /** Returns the cost of the observation itself. */
    public SamplerStatistics statistics() {
        return observatory.statistics();
    }

    /** Returns the share of a core that the sampler used, for each tenth of a second. Any thread. */
    public CpuUsageHistory samplerShares() {
        return observatory.samplerShares();
    }

    /** Returns the incident recorder of a watch that records. */
    public Optional<IncidentRecorder> recorder() {
        return Optional.ofNullable(recording).map(WatchRecording::recorder);
    }

    /** Returns what a recording watch cannot record, with the reason and the fix, one line each. */
    public List<String> missing() {
        return recording == null ? List.of() : recording.missing();
    }

    @Override
    public void close() {
        if (recording != null) {
            recording.recorder().finish(System.nanoTime());
        }
        observatory.close();
    }
}
