package org.naklab.lab.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.naklab.lab.detect.AeronInstrument;
import org.naklab.lab.detect.FlightRecorder;
import org.naklab.lab.detect.GaugeInstrument;
import org.naklab.lab.detect.Heartbeat;
import org.naklab.lab.detect.HeartbeatInstrument;
import org.naklab.lab.detect.JvmInstrument;
import org.naklab.lab.detect.MemoryInstrument;
import org.naklab.lab.detect.Observatory;
import org.naklab.lab.detect.RateInstrument;
import org.naklab.lab.detect.SampleWriter;
import org.naklab.lab.detect.SamplerStatistics;
import org.naklab.lab.detect.SocketDepthInstrument;
import org.naklab.lab.detect.ThreadInstrument;
import org.naklab.lab.detect.TimedFragmentHandler;
import org.naklab.lab.detect.TimelineEventType;
import org.naklab.lab.detect.TimelineListener;
import org.naklab.lab.detect.TimerInstrument;
import org.naklab.lab.process.BeatingIdle;
import org.naklab.messaging.MessagingContext;
import org.naklab.subscriber.MarketDataService;

/**
 * All instruments that a run has, on the pipeline of the bench: the replica's own heartbeat and timed callbacks as well as those that look
 * from outside, samples written to a file, flight recorder running. They live in the bench's own process and so take from the same
 * processors and heap.
 */
final class PipelineWatch implements AutoCloseable {
    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    private static final String SERVICE = "mds";
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final long LEAST_BURST_BYTES = 32_768;
    private static final long HIGH_RING_SLOTS = 1 << 12;
    private static final long HIGH_PERSIST_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final TimelineListener UNHEARD = event -> {};

    private final String aeronDirectory;
    private final Path heartbeatFile;
    private final Heartbeat heartbeat;
    private final BeatingIdle idle;
    private final Observatory observatory;
    private SamplerStatistics warm = new SamplerStatistics(0, 0, 0, 0, 0);

    private PipelineWatch(
            String aeronDirectory, Path directory, Path heartbeatFile, Heartbeat heartbeat, BeatingIdle idle) {
        this.aeronDirectory = aeronDirectory;
        this.heartbeatFile = heartbeatFile;
        this.heartbeat = heartbeat;
        this.idle = idle;
        observatory = new Observatory(
                CLOCK,
                UNHEARD,
                List.of(
                        SampleWriter.create(directory.resolve("samples.csv.gz"), SampleWriter.DEFAULT_MAX_ROWS),
                        new FlightRecorder(directory, FlightRecorder.DEFAULT_TRIPS)),
                error -> {
                    throw new IllegalStateException("an instrument failed", error);
                });
    }

    /**
     * Puts the replica's own instruments in, before it is launched.
     *
     * @param directory exists; takes what a run writes into its own
     */
    static PipelineWatch prepare(
            MarketDataService.Context service,
            MessagingContext.Context messaging,
            String aeronDirectory,
            Path directory) {
        Path file = Path.of(aeronDirectory + ".heartbeat");
        Heartbeat heartbeat = Heartbeat.create(file, Heartbeat.DEFAULT_THRESHOLD_NS);
        BeatingIdle idle = new BeatingIdle(messaging.idleStrategy(), heartbeat);
        messaging.idleStrategy(idle);
        service.feedHandlerDecorator(handler -> new TimedFragmentHandler(handler, CLOCK, heartbeat));
        return new PipelineWatch(aeronDirectory, directory, file, heartbeat, idle);
    }

    /** Puts the others on the service that was launched, and starts them. */
    void attach(MarketDataService service) {
        idle.tell(service.counters());
        long pid = ProcessHandle.current().pid();
        TimelineListener events = observatory.events();
        observatory.add(SocketDepthInstrument.attach(SERVICE, pid, events, CLOCK));
        AeronInstrument aeron = AeronInstrument.attach(SERVICE, Path.of(aeronDirectory), events, CLOCK);
        observatory.add(aeron);
        observatory.add(new RateInstrument(
                SERVICE, "receivedBytes", () -> aeron.totals().bytesReceived(), LEAST_BURST_BYTES, events));
        observatory.add(new ThreadInstrument(SERVICE, pid, SERVICE + "-context", events));
        attachHeartbeat(events);
        observatory.add(new MemoryInstrument(SERVICE, pid, events));
        observatory.add(JvmInstrument.ofThisProcess(SERVICE, PAUSE, events));
        observatory.add(TimerInstrument.start(PAUSE.toNanos(), events, CLOCK));
        observatory.start();
    }

    private void attachHeartbeat(TimelineListener events) {
        HeartbeatInstrument beats = HeartbeatInstrument.attach(
                SERVICE,
                SERVICE + "-context",
                heartbeatFile,
                HeartbeatInstrument.DEFAULT_STALL_THRESHOLD_NS,
                events,
                CLOCK);
        observatory.add(beats);
        observatory.add(new GaugeInstrument(
                SERVICE,
                "ringDepthSlots",
                beats::ringDepth,
                HIGH_RING_SLOTS,
                HIGH_PERSIST_NS,
                TimelineEventType.RING_DEPTH_RISE,
                events));
        observatory.add(new GaugeInstrument(
                SERVICE,
                "journalLagMessages",
                beats::journalLag,
                HIGH_RING_SLOTS,
                HIGH_PERSIST_NS,
                TimelineEventType.JOURNAL_LAG_RISE,
                events));
    }

    /** What comes before does not count in {@link #samplerCost()}. */
    void warm() {
        warm = observatory.statistics();
    }

    SamplerStatistics samplerCost() {
        return observatory.statistics().since(warm);
    }

    @Override
    public void close() {
        observatory.close();
        heartbeat.close();
    }
}
