package org.naklab.lab.scenarios.runner;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.instruments.capture.FeedCapture;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.kernel.detail.ShortTimesInstrument;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SeriesMaxima;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.trace.TraceRing;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.observation.InstrumentSet;
import org.naklab.lab.replica.observation.ObservedProcess;
import org.naklab.lab.replica.observation.ServiceInstruments;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.SocketReading;
import org.naklab.lab.scenarios.evidence.KeptSamples;
import org.naklab.lab.scenarios.evidence.Unkept;
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
    /** A rise of a socket is no trip here: on a machine that others use too, one comes now and then and drains. */
    private static final Set<TimelineEventType> TRIPS =
            EnumSet.of(TimelineEventType.STALL, TimelineEventType.DATAGRAMS_DROPPED, TimelineEventType.NAK_SENT);

    private static final long INTERRUPT_NS = 100_000;

    private final RunPlan plan;
    private final boolean recordsInterrupts;
    private final Unkept unkept;
    private final SeriesMaxima maxima;
    private final KeptReadings readings = new KeptReadings();
    private final IncidentRecorder recorder;
    private final InstrumentSet instruments;
    private final Map<String, SocketDepthInstrument> sockets = new LinkedHashMap<>();
    private final Set<String> unseenSockets = new HashSet<>();
    private @Nullable ServiceInstruments service;
    private final Guard guard = new Guard();
    private @Nullable KernelInstrument kernel;
    private @Nullable TraceRing trace;
    private @Nullable FeedCapture capture;
    private Guard.Promise endedCapture = () -> {};
    private long countedFromNs = Long.MIN_VALUE;
    private boolean stopped;

    /**
     * @param recordsInterrupts whether the scenario needs the interrupts of the receipt threads
     * @param viewers take all samples, and the events of the timeline; closed with the instruments
     */
    RunInstruments(
            RunPlan plan,
            boolean recordsInterrupts,
            RunTimeline timeline,
            Unkept unkept,
            List<? extends SampleConsumer> viewers) {
        this.plan = plan;
        this.recordsInterrupts = recordsInterrupts;
        this.unkept = unkept;
        maxima = new SeriesMaxima();
        recorder = new IncidentRecorder(plan.directory(), TRIPS);
        recorder.armFrom(Long.MAX_VALUE);
        timeline.addListener(recorder);
        List<SampleConsumer> consumers = new ArrayList<>(List.of(
                new KeptSamples(plan.directory().resolve("samples.csv.gz"), unkept),
                new SamplesOnly(recorder),
                maxima,
                readings));
        viewers.forEach(viewer -> {
            timeline.addListener(viewer::onEvent);
            consumers.add(new SamplesOnly(viewer));
        });
        InstrumentRunner runner = new InstrumentRunner(CLOCK, timeline, consumers, this::onFailure);
        instruments = new InstrumentSet(runner);
    }

    /** On a thread of the runner, for what is no instrument's own report: what it missed then nobody knows. */
    private void onFailure(Throwable failure) {
        if (unkept.add("the instruments' threads failed: " + failure)) {
            LOGGER.error("the threads of the instruments failed", failure);
        }
    }

    /** Attaches the instruments; called when the processes are up, before traffic flows. */
    void attach(ProcessGroup group) {
        if (plan.placement().observation().isCaptured()) {
            capture();
        }
        if (plan.placement().instruments() == InstrumentLevel.NONE) {
            group.all().forEach(child -> unseenSockets.add(child.name()));
            instruments.noteBlind(new DetectException("no instruments, as asked for"));
            instruments.startWithoutSampler();
            return;
        }
        List<ObservedProcess> processes = new ArrayList<>();
        for (ChildProcess child : group.all()) {
            if (child.role() == Role.CUSTOMERS) {
                continue;
            }
            ObservedProcess process = locate(child);
            if (process == null) {
                unseenSockets.add(child.name());
            } else {
                processes.add(process);
                attachTo(process);
            }
        }
        Feed feed = new Feed(
                plan.channels().group(Topic.ORDER_BOOK_EVENTS),
                plan.channels().port(Topic.ORDER_BOOK_EVENTS),
                Deployment.EXCHANGE);
        kernel = ServiceInstruments.attachToMachine(instruments, processes, feed, interruptNs());
        if (plan.placement().instruments() == InstrumentLevel.FULL) {
            List<Long> pids = processes.stream().map(ObservedProcess::pid).toList();
            instruments.add(() -> ShortTimesInstrument.start(pids));
        }
        if (isDetailed()) {
            trace(processes);
        }
        instruments.start();
    }

    /** A capture is evidence that somebody asked for, and no instrument: the verdict does not need it, but a run that could not keep it says so. */
    private void capture() {
        try {
            FeedCapture started = FeedCapture.start(
                    plan.channels().networkInterface(),
                    new FeedCapture.Ports(
                            plan.channels().port(Topic.ORDER_BOOK_EVENTS),
                            plan.channels().port(Topic.ORDER_BOOK_SNAPSHOTS)),
                    plan.directory());
            capture = started;
            endedCapture = guard.toKill(TargetProcess.of(started.pid()));
        } catch (DetectException e) {
            unkept.add(String.valueOf(e.getMessage()));
        }
    }

    private void endCapture() {
        FeedCapture started = capture;
        if (started == null) {
            return;
        }
        try {
            started.close();
            endedCapture.kept();
        } catch (DetectException e) {
            unkept.add(String.valueOf(e.getMessage()));
        }
    }

    /** The worst incident so far in the counted time stops the trace; it is written with the window of the flight recorder, and again at the end if a worse one came. */
    private void trace(List<ObservedProcess> processes) {
        List<String> threads = processes.stream()
                .filter(process -> process.role() != Role.EXCHANGE)
                .map(process -> CpuActivity.commOf(process.contextThread()))
                .distinct()
                .toList();
        TraceRing ring = instruments.add(() ->
                TraceRing.start(TRIPS, threads, () -> false, (what, command) -> guard.toRun(what, command)::kept));
        if (ring != null) {
            recorder.addHook(ring);
            instruments.addAtOnce(ring);
            trace = ring;
        }
    }

    /** Interrupts come thousands of times a second on each CPU: they are recorded for scenarios that need them, and for those who ask for more. */
    private long interruptNs() {
        return recordsInterrupts || isDetailed() ? INTERRUPT_NS : 0;
    }

    /** Returns whether the user asks for all that can be seen, or binds threads, and so accepts its cost. */
    private boolean isDetailed() {
        RunPlan.Placement placement = plan.placement();
        return placement.instruments() == InstrumentLevel.FULL
                || !placement.pins().isEmpty();
    }

    private @Nullable ObservedProcess locate(ChildProcess child) {
        try {
            ProcessLocation location =
                    ProcessLocation.of(child, plan.placement().aeronPrefix() + child.name());
            return new ObservedProcess(
                    child.name(), child.role(), location.pid(), location.aeronDirectory(), location.isContained());
        } catch (DetectException e) {
            instruments.noteBlind(e);
            return null;
        }
    }

    private void attachTo(ObservedProcess process) {
        ServiceInstruments attached = ServiceInstruments.attach(instruments, process, recorder, plan.directory());
        SocketDepthInstrument depth = attached.sockets();
        if (depth == null) {
            unseenSockets.add(process.name());
        } else {
            sockets.put(process.name(), depth);
        }
        if (process.role() == Role.SERVICE) {
            service = attached;
        }
    }

    /** Marks the end of the warm-up; earlier events do not count. */
    void countFrom(long timeNs) {
        countedFromNs = timeNs;
        maxima.countFrom(timeNs);
        readings.countFrom(timeNs);
        recorder.armFrom(timeNs);
        TraceRing ring = trace;
        if (ring != null) {
            ring.armFrom(timeNs);
        }
    }

    /**
     * While the processes still live.
     *
     * @param isServiceAlive false if the service has ended before: its JVM can be asked for nothing more
     */
    void onFlowEnded(boolean isServiceAlive) {
        recorder.finish(System.nanoTime());
        TraceRing ring = trace;
        if (ring != null) {
            writeWorst(ring);
        }
        KernelInstrument recording = kernel;
        if (recording != null) {
            recording.finish();
        }
        ServiceInstruments observed = service;
        if (observed != null && isServiceAlive) {
            observed.onFlowEnded();
        }
    }

    private void writeWorst(TraceRing ring) {
        try {
            ring.writeWorst(plan.directory());
        } catch (DetectException e) {
            unkept.add(String.valueOf(e.getMessage()));
        }
    }

    /** Once the processes have given their final reports. */
    void onProcessesEnding() {
        ServiceInstruments observed = service;
        if (observed != null) {
            observed.onProcessEnding();
        }
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
            if (event instanceof HostEvent.Blind told) {
                String instrument = told.instrument();
                blind.add(instrument + ": " + told.reason());
                sockets.forEach((name, depth) -> {
                    if (depth.describe().equals(instrument)) {
                        unseen.add(name);
                    }
                });
            }
        }
        ServiceInstruments observed = service;
        List<String> described = new ArrayList<>(instruments.describe());
        FeedCapture captured = capture;
        if (captured != null) {
            described.add(captured.describe());
        }
        return new InstrumentCoverage(
                new InstrumentCoverage.Sight(described, blind, unseen),
                observed == null ? List.of() : observed.faultStacks(),
                observed == null ? null : observed.safepoints(),
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
                        .map(socket -> reading(
                                entry.getKey(),
                                socket,
                                socket.drops()
                                        - before.of(
                                                entry.getKey(),
                                                socket.identity().inode()),
                                timeline)))
                .toList();
    }

    /** The kernel adds up what the sockets of one port dropped; a datagram of a group is for all of them alike. */
    private SocketReading reading(String process, SocketSummary socket, long drops, List<TimelineEvent> timeline) {
        int port = socket.identity().localPort();
        long sharing = sockets.values().stream()
                .flatMap(each -> each.summaries().stream())
                .filter(each -> each.identity().localPort() == port && each.drops() > 0)
                .count();
        List<TimelineEvent> counted = timeline.stream()
                .filter(event -> event.timeNs() - countedFromNs >= 0)
                .toList();
        SocketDrops reasons = SocketDrops.of(drops * sharing, counted, List.of(port));
        return new SocketReading(
                process,
                socket.identity().localAddress(),
                port,
                socket.depths().maxDepthBytes(),
                sharing == 0 ? new SocketDrops(drops, 0) : reasons.dividedBy(sharing),
                socket.headroom());
    }

    Map<SeriesName, Long> maxima() {
        return maxima.values();
    }

    /** Returns readings over time, by the name of their series; complete after {@link #stop()}. */
    Map<SeriesName, List<Reading>> keptReadings() {
        return readings.values();
    }

    /** Delivers everything to the timeline; readings are exact from then on. */
    void stop() {
        if (!stopped) {
            stopped = true;
            endCapture();
            instruments.stop();
            guard.close();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
