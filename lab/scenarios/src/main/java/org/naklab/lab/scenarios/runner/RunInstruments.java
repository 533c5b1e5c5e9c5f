package org.naklab.lab.scenarios.runner;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.AeronInstrument;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.GaugeInstrument;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MappedCounter;
import org.naklab.lab.instruments.sampling.RateInstrument;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.instruments.threads.HiccupInstrument;
import org.naklab.lab.instruments.threads.ThreadInstrument;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.replica.process.ChildProcess;
import org.naklab.lab.replica.service.DutyCycleFile;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.scenarios.evidence.KeptSamples;
import org.naklab.lab.scenarios.evidence.Unkept;
import org.naklab.lab.scenarios.record.SeriesMaxima;
import org.naklab.messaging.Topic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instruments on one run's processes: samples go to {@code samples.csv.gz}, events to the timeline, and the window around the first
 * that matters to {@code window-*}. An instrument that cannot see is listed, not missed.
 */
final class RunInstruments implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(RunInstruments.class);

    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;
    /** A pause that matters; the timer of a busy machine is late by a scheduler's slice now and then. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A sixteenth of the ring. */
    private static final long HIGH_RING_SLOTS = 1 << 12;

    /** A rise of a socket is no trip here: on a machine that others use too, one comes now and then and drains. */
    private static final Set<TimelineEventType> TRIPS =
            EnumSet.of(TimelineEventType.STALL, TimelineEventType.DATAGRAMS_DROPPED, TimelineEventType.NAK_SENT);

    private static final long HIGH_PERSIST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RunPlan plan;
    private final Unkept unkept;
    private final SeriesMaxima maxima;
    private final IncidentRecorder recorder;
    private final InstrumentSet instruments;
    private final ServiceRecordings recordings;
    private final TimelineListener events;
    private final Map<String, SocketDepthInstrument> sockets = new LinkedHashMap<>();
    private final Map<String, ProcessLocation> located = new HashMap<>();
    private final Set<String> unseenSockets = new HashSet<>();
    private long countedFromNs = Long.MIN_VALUE;
    private boolean stopped;

    RunInstruments(RunPlan plan, RunTimeline timeline, Unkept unkept) {
        this.plan = plan;
        this.unkept = unkept;
        maxima = new SeriesMaxima();
        recorder = new IncidentRecorder(plan.directory(), TRIPS);
        recorder.armFrom(Long.MAX_VALUE);
        timeline.tell(recorder);
        InstrumentRunner observatory = new InstrumentRunner(
                CLOCK,
                timeline,
                List.of(
                        new KeptSamples(plan.directory().resolve("samples.csv.gz"), unkept),
                        new SamplesOnly(recorder),
                        maxima),
                this::onFailure);
        instruments = new InstrumentSet(observatory);
        events = instruments.events();
        recordings = new ServiceRecordings(instruments, recorder, plan.directory());
    }

    /** On a thread of the observatory, for what is no instrument's own report: what it missed then nobody knows. */
    private void onFailure(Throwable failure) {
        if (unkept.add("the instruments' threads failed: " + failure)) {
            LOGGER.error("the threads of the instruments failed", failure);
        }
    }

    /** Attaches the instruments; called when the processes are up, before traffic flows. */
    void attach(ProcessGroup group) {
        for (ChildProcess child : group.all()) {
            ProcessLocation location = locate(child);
            if (location == null) {
                unseenSockets.add(child.name());
            } else {
                attachTo(child.name(), location);
            }
        }
        add(() -> HiccupInstrument.start(LATE_NS, events, CLOCK));
        ProcessLocation service = located.get(Deployment.SERVICE);
        if (service != null) {
            attachToService(Deployment.SERVICE, service);
        }
        instruments.start();
    }

    private @Nullable ProcessLocation locate(ChildProcess child) {
        try {
            ProcessLocation location = ProcessLocation.of(child, plan.aeronPrefix() + child.name());
            located.put(child.name(), location);
            return location;
        } catch (DetectException e) {
            instruments.noteBlind(e);
            return null;
        }
    }

    private void attachToService(String name, ProcessLocation location) {
        add(() -> new MemoryInstrument(name, location.pid(), events));
        recordings.attach(name, location, Duration.ofNanos(LATE_NS), events);
    }

    private void attachTo(String name, ProcessLocation location) {
        SocketDepthInstrument depth = add(() -> SocketDepthInstrument.attach(name, location.pid(), events, CLOCK));
        if (depth == null) {
            unseenSockets.add(name);
        } else {
            sockets.put(name, depth);
        }
        AeronInstrument aeron = add(() -> AeronInstrument.attach(name, location.aeronDirectory(), events, CLOCK));
        if (name.equals(Deployment.EXCHANGE)) {
            if (aeron != null) {
                add(() -> rate(name, "sentBytes", aeron.bytesSent()));
            }
            return;
        }
        if (aeron != null && !name.equals(Deployment.SERVICE)) {
            add(() -> rate(name, "receivedBytes", aeron.bytesReceived()));
        }
        add(() -> new ThreadInstrument(name, location.pid(), name + "-context", events));
        attachHeartbeat(name, location);
    }

    private void attachHeartbeat(String name, ProcessLocation location) {
        Path file = DutyCycleFile.of(location.aeronDirectory().toString());
        DutyCycleInstrument heartbeat = add(() -> DutyCycleInstrument.attach(
                name, name + "-context", file, DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS, events, CLOCK));
        if (heartbeat != null && name.equals(Deployment.SERVICE)) {
            add(() -> new GaugeInstrument(
                    name,
                    "ringDepthSlots",
                    heartbeat.ringDepth(),
                    HIGH_RING_SLOTS,
                    HIGH_PERSIST_NS,
                    TimelineEventType.RING_DEPTH_RISE,
                    events));
            add(() -> new GaugeInstrument(
                    name,
                    "journalLagMessages",
                    heartbeat.journalLag(),
                    HIGH_RING_SLOTS,
                    HIGH_PERSIST_NS,
                    TimelineEventType.JOURNAL_LAG_RISE,
                    events));
        }
    }

    private Instrument rate(String name, String quantity, MappedCounter count) {
        return new RateInstrument(name, quantity, count, RateInstrument.LEAST_BURST_BYTES, events);
    }

    private <T extends Instrument> @Nullable T add(Supplier<T> attach) {
        return instruments.add(attach);
    }

    /** Marks the end of the warm-up; earlier events do not count. */
    void countFrom(long timeNs) {
        countedFromNs = timeNs;
        maxima.countFrom(timeNs);
        recorder.armFrom(timeNs);
    }

    /** While the processes still live. */
    void onFlowEnded() {
        recordings.onFlowEnded();
    }

    /** Once the processes have said their last words. */
    void onProcessesEnding() {
        recordings.onServiceEnding();
    }

    /**
     * Returns the instruments that worked and those that did not; complete after {@link #stop()}.
     *
     * @param timeline of the run: an instrument that went blind in it said so there
     */
    InstrumentCoverage observation(List<TimelineEvent> timeline) {
        List<String> blind = new ArrayList<>(instruments.blind());
        blind.addAll(recorder.missingOfHooks());
        recorder.unwritten().forEach(unkept::add);
        Set<String> unseen = new HashSet<>(unseenSockets);
        for (TimelineEvent event : timeline) {
            if (event.type() == TimelineEventType.INSTRUMENT_BLIND) {
                String instrument = String.valueOf(event.detail("instrument"));
                blind.add(instrument + ": " + event.detail("reason"));
                sockets.forEach((name, depth) -> {
                    if (depth.describe().equals(instrument)) {
                        unseen.add(name);
                    }
                });
            }
        }
        return new InstrumentCoverage(
                instruments.describe(),
                blind,
                unseen,
                recordings.faultStacks(),
                instruments.sampler(),
                instruments.lostSamples(),
                unkept.lines());
    }

    /**
     * Returns the readings of the sockets that receive the feed and the snapshots, without the drops of the warm-up; exact after
     * {@link #stop()}.
     *
     * @param timeline of the run
     */
    List<SocketReading> readings(List<TimelineEvent> timeline) {
        WarmUpDrops before = new WarmUpDrops(timeline, countedFromNs);
        int first = plan.channels().port(Topic.ORDER_BOOK_EVENTS);
        int last = plan.channels().port(Topic.ORDER_BOOK_SNAPSHOTS);
        return sockets.entrySet().stream()
                .flatMap(entry -> entry.getValue().summaries().stream()
                        .filter(socket -> socket.identity().localPort() >= first
                                && socket.identity().localPort() <= last)
                        .map(socket -> new SocketReading(
                                entry.getKey(),
                                socket.identity().localAddress(),
                                socket.identity().localPort(),
                                socket.maxDepthBytes(),
                                socket.drops()
                                        - before.of(
                                                entry.getKey(),
                                                socket.identity().inode()))))
                .toList();
    }

    Map<String, Long> maxima() {
        return maxima.values();
    }

    /** Delivers everything to the timeline; readings are exact from then on. */
    void stop() {
        if (!stopped) {
            stopped = true;
            instruments.stop();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
