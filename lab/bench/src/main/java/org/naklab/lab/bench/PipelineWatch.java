package org.naklab.lab.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.AeronInstrument;
import org.naklab.lab.instruments.jvm.JvmInstrument;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.GaugeInstrument;
import org.naklab.lab.instruments.sampling.InstrumentCost;
import org.naklab.lab.instruments.sampling.RateInstrument;
import org.naklab.lab.instruments.series.SampleWriter;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.instruments.threads.HiccupInstrument;
import org.naklab.lab.instruments.threads.ThreadInstrument;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.replica.service.DutyCycleFile;

/**
 * All instruments that a run has beside the replica's own, on the pipeline of another process: samples written to a file, flight recorder
 * running.
 */
final class PipelineWatch implements AutoCloseable {
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    private static final String SERVICE = "mds";
    private static final String CONTEXT_THREAD = SERVICE + "-context";
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final long HIGH_RING_SLOTS = 1 << 12;
    private static final long HIGH_PERSIST_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final TimelineListener UNHEARD = event -> {};

    private final InstrumentRunner observatory;
    private final long beginNs;
    private long elapsedNs;

    /**
     * Attaches and starts.
     *
     * @param aeronDirectory of the service's driver
     * @param directory exists; takes what a run writes into its own
     */
    PipelineWatch(long pid, String aeronDirectory, Path directory) {
        observatory = new InstrumentRunner(
                CLOCK,
                UNHEARD,
                List.of(
                        SampleWriter.create(directory.resolve("samples.csv.gz"), SampleWriter.DEFAULT_MAX_ROWS),
                        new IncidentRecorder(directory, IncidentRecorder.DEFAULT_TRIPS)),
                error -> {
                    throw new IllegalStateException("an instrument failed", error);
                });
        TimelineListener events = observatory.events();
        observatory.add(SocketDepthInstrument.attach(SERVICE, pid, events, CLOCK));
        AeronInstrument aeron = AeronInstrument.attach(SERVICE, Path.of(aeronDirectory), events, CLOCK);
        observatory.add(aeron);
        observatory.add(new RateInstrument(
                SERVICE, "receivedBytes", aeron.bytesReceived(), RateInstrument.LEAST_BURST_BYTES, events));
        observatory.add(new ThreadInstrument(SERVICE, pid, CONTEXT_THREAD, events));
        attachHeartbeat(DutyCycleFile.of(aeronDirectory), events);
        observatory.add(new MemoryInstrument(SERVICE, pid, events));
        observatory.add(JvmInstrument.ofProcess(
                SERVICE, pid, directory.resolve("jfr"), PAUSE, WatchedThreads.of(CONTEXT_THREAD), events));
        observatory.add(HiccupInstrument.start(PAUSE.toNanos(), events, CLOCK));
        observatory.start();
        beginNs = CLOCK.nanoTime();
    }

    private void attachHeartbeat(Path heartbeatFile, TimelineListener events) {
        DutyCycleInstrument beats = DutyCycleInstrument.attach(
                SERVICE, CONTEXT_THREAD, heartbeatFile, DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS, events, CLOCK);
        observatory.add(beats);
        observatory.add(new GaugeInstrument(
                SERVICE,
                "ringDepthSlots",
                beats.ringDepth(),
                HIGH_RING_SLOTS,
                HIGH_PERSIST_NS,
                TimelineEventType.RING_DEPTH_RISE,
                events));
        observatory.add(new GaugeInstrument(
                SERVICE,
                "journalLagMessages",
                beats.journalLag(),
                HIGH_RING_SLOTS,
                HIGH_PERSIST_NS,
                TimelineEventType.JOURNAL_LAG_RISE,
                events));
    }

    /** Once this is closed. */
    List<InstrumentCost> costs() {
        return observatory.costs();
    }

    /** Once this is closed: for how long it looked, in nanoseconds. */
    long elapsedNs() {
        return elapsedNs;
    }

    @Override
    public void close() {
        elapsedNs = CLOCK.nanoTime() - beginNs;
        observatory.close();
    }
}
