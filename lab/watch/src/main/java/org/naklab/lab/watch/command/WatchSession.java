package org.naklab.lab.watch.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.forecast.BindForecastMonitor;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SeriesMaxima;
import org.naklab.lab.instruments.threads.StandstillClaims;
import org.naklab.lab.instruments.trace.TraceUndo;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.InstrumentRunner;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.instruments.watch.WindowDirectories;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MonotonicToWallClock;
import org.naklab.lab.watch.Blindness;
import org.naklab.lab.watch.BufferOrReader;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchTimeline;
import org.naklab.lab.watch.command.live.WatchedProcess;

/** One process under watch, from attaching to its end or that of the watch. */
final class WatchSession {
    /** Started when it is needed; undoes when this process has ended, however it ended. */
    private static final Guard GUARD = new Guard();

    private static final TraceUndo UNDO = (what, command) -> GUARD.toRun(what, command)::kept;
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);
    /** By then, a stall is reported with all that belongs to it, and a window is written. */
    private static final long STRETCH_AGE_NS = TimeUnit.SECONDS.toNanos(30);
    /** It takes time to take a stretch, however short it is. */
    private static final long LEAST_STRETCH_NS = TimeUnit.SECONDS.toNanos(10);

    private final WatchTarget target;
    private final String command;
    private final @Nullable WindowDirectories directories;
    private final Watch watch;
    private final WatchTimeline timeline;
    private final SeriesMaxima maxima;
    private final BufferOrReader buffers;
    private final StallQueue stalls;
    private final BindForecastMonitor forecasts;
    private final Set<StallKey> unpolled = new HashSet<>();
    private final Blindness blindness = new Blindness(MonotonicToWallClock.ofSystem()::show);
    private volatile boolean hasEnded;
    private int reportedWindows;
    /** Of the time before {@link #undiagnosedNs}. */
    private @Nullable WatchFindings diagnosed;

    private long undiagnosedNs;
    private long endedNs;
    private boolean isArmed;
    private boolean isTripReported;
    private boolean isClosed;
    /** What was not seen at all. */
    private List<String> unseen = List.of();

    /**
     * A stall with its cause.
     *
     * @param confidence in the cause; empty: the diagnosis does not name it
     */
    record JudgedStall(Stall stall, String confidence) {}

    /** Identifies a stall of the process. */
    private record StallKey(long atNs, String thread) {}

    private WatchSession(
            WatchTarget target,
            String command,
            @Nullable WindowDirectories directories,
            Watch watch,
            WatchTimeline timeline,
            StallQueue stalls,
            BufferOrReader buffers,
            SeriesMaxima maxima) {
        this.target = target;
        this.command = command;
        this.directories = directories;
        this.watch = watch;
        this.timeline = timeline;
        this.stalls = stalls;
        this.maxima = maxima;
        this.buffers = buffers;
        forecasts = new BindForecastMonitor(target.pid(), watch::readSockets);
        undiagnosedNs = watch.beganNs();
        maxima.countFrom(undiagnosedNs);
    }

    /**
     * Attaches to a process.
     *
     * @param directories of the windows; {@code null}: nothing is recorded
     * @param claims of the clients of a media driver
     * @param metrics counts the events, of a media driver and its clients those of the driver
     * @param viewers take all samples and events; closed with the session
     * @throws DetectException it cannot be watched, or the thread is interrupted
     */
    static WatchSession attach(
            WatchTarget target,
            StandstillClaims claims,
            @Nullable WindowDirectories directories,
            WatchConsole console,
            MetricsOption.Session metrics,
            List<SampleConsumer> viewers,
            ErrorHandler errorHandler) {
        long pid = target.pid();
        String process = String.valueOf(pid);
        WatchTimeline timeline = new WatchTimeline(console);
        BufferOrReader buffers = new BufferOrReader(process);
        SeriesMaxima maxima = new SeriesMaxima();
        String command =
                ProcessHandle.of(pid).flatMap(handle -> handle.info().command()).orElse("");
        boolean isCounted = metrics.isServed() && !target.isClient();
        StallQueue stalls = new StallQueue(event -> {
            buffers.onEvent(event);
            timeline.onEvent(event);
        });
        TimelineListener listener = isCounted ? metrics.before(pid, stalls) : stalls;
        List<SampleConsumer> consumers = new ArrayList<>(viewers);
        consumers.add(maxima);
        Watch watch = attach(target, claims, directories, listener, consumers, errorHandler);
        // Closing waits for the watch's own threads, which an interrupted thread would not.
        if (Thread.interrupted()) {
            watch.close();
            throw new DetectException("interrupted while attaching to process " + pid);
        }
        console.setReaders(process, watch::readers);
        return new WatchSession(target, command, directories, watch, timeline, stalls, buffers, maxima);
    }

    private static Watch attach(
            WatchTarget target,
            StandstillClaims claims,
            @Nullable WindowDirectories directories,
            TimelineListener listener,
            List<SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        String process = String.valueOf(target.pid());
        UnitMember member = target.member();
        if (member != null) {
            return Watch.attachMember(process, member, claims, directories, listener, consumers, errorHandler);
        }
        return directories == null
                ? Watch.attach(process, target.pid(), listener, consumers, errorHandler)
                : Watch.attachRecording(process, target.pid(), directories, listener, consumers, UNDO, errorHandler);
    }

    long pid() {
        return target.pid();
    }

    WatchTarget target() {
        return target;
    }

    /** Returns the directories of its windows; {@code null}: nothing is recorded. */
    @Nullable
    WindowDirectories directories() {
        return directories;
    }

    Watch watch() {
        return watch;
    }

    /** Returns what larger buffers would have done. */
    BufferOrReader buffers() {
        return buffers;
    }

    /** Returns the process for people: its id, its program, and its part in an Aeron unit. */
    String title() {
        return "process " + target.pid() + (command.isEmpty() ? "" : " (" + command + ")") + target.part();
    }

    /** Returns what the live table shows. */
    WatchedProcess shown() {
        return new WatchedProcess(title(), watch.beganNs(), watch.sockets(), watch.subscriptions());
    }

    /** Returns true once the process has ended. */
    boolean hasEnded() {
        hasEnded = hasEnded || timeline.has(TimelineEventType.PROCESS_ENDED);
        return hasEnded;
    }

    /** Arms the recorder, once; returns false if it was armed, or nothing is recorded. */
    boolean arm() {
        boolean isNew = !isArmed && directories != null;
        isArmed = true;
        if (isNew) {
            watch.recorder().ifPresent(recorder -> recorder.armFrom(System.nanoTime()));
        }
        return isNew;
    }

    /** Returns the event that tripped the recorder, once for each window. */
    Optional<TimelineEvent> takeTrip() {
        Optional<TimelineEvent> trip = watch.recorder()
                .filter(recorder -> recorder.state() == IncidentRecorder.State.TRIPPED)
                .flatMap(IncidentRecorder::trip);
        boolean isNew = trip.isPresent() && !isTripReported;
        isTripReported = trip.isPresent();
        return isNew ? trip : Optional.empty();
    }

    /** Returns the windows that were written since the last call. */
    List<IncidentRecorder.Window> takeWindows() {
        List<IncidentRecorder.Window> all = windows();
        List<IncidentRecorder.Window> taken = all.subList(reportedWindows, all.size());
        reportedWindows = all.size();
        return taken;
    }

    /** Returns true if a window is being recorded. */
    boolean isTripped() {
        return watch.recorder()
                .filter(recorder -> recorder.state() == IncidentRecorder.State.TRIPPED)
                .isPresent();
    }

    /** Returns whether a stall is that of a subscription that was not polled. */
    boolean isUnpolled(Stall stall) {
        return unpolled.contains(new StallKey(stall.atNs(), stall.thread()));
    }

    /** Returns true if the recorder has ended: enough windows were written. */
    boolean isRecorded() {
        return watch.recorder()
                .filter(recorder -> recorder.state() == IncidentRecorder.State.WRITTEN)
                .isPresent();
    }

    /**
     * Diagnoses a window by its events; again when the session is closed, as a stall may last longer than its window.
     *
     * @return empty if its events were diagnosed long ago and are not kept any more
     */
    Optional<WatchFindings> findings(IncidentRecorder.Window window) {
        Interval recorded = window.interval();
        if (recorded.endNs() <= undiagnosedNs) {
            return Optional.empty();
        }
        // Before the instruments were ready, nothing was seen.
        Interval counted =
                new Interval(Math.max(recorded.beginNs(), undiagnosedNs), Math.max(recorded.endNs(), undiagnosedNs));
        return Optional.of(findings(counted, eventsIn(recorded, System.nanoTime())));
    }

    private List<TimelineEvent> eventsIn(Interval interval, long nowNs) {
        List<TimelineEvent> events = new ArrayList<>(timeline.in(interval));
        if (!isClosed) {
            events.addAll(watch.observedUntil(nowNs));
        }
        return events;
    }

    /**
     * Returns the stalls that ended a second ago or earlier and were not returned before, with their causes: until then, records of the
     * kernel may arrive. When the session is closed, all have.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    List<JudgedStall> takeStalls(long nowNs) {
        List<TimelineEvent> ended = stalls.takeEndedBefore(isClosed ? nowNs : nowNs - SETTLED_NS).stream()
                .filter(stall -> stall.endNs() - watch.beganNs() >= 0)
                .toList();
        if (ended.isEmpty()) {
            return List.of();
        }
        long beginNs = ended.stream().mapToLong(TimelineEvent::timeNs).min().orElse(nowNs);
        Interval window = new Interval(beginNs - SETTLED_NS, nowNs);
        Set<StallKey> keys = new HashSet<>();
        ended.forEach(stall -> keys.add(new StallKey(stall.timeNs(), stall.thread())));
        WatchFindings findings = findings(window, eventsIn(window, nowNs));
        return findings.standstills().stalls().stream()
                .filter(stall -> keys.contains(new StallKey(stall.atNs(), stall.thread())))
                .map(stall -> new JudgedStall(
                        stall,
                        findings.confidenceOf(stall).map(Confidence::label).orElse("")))
                .toList();
    }

    /**
     * Diagnoses the older part of a long watch if so many events are kept that there is soon no room for more; they are not kept any longer then.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    void makeRoom(long nowNs) {
        long untilNs = nowNs - STRETCH_AGE_NS;
        if (untilNs - undiagnosedNs >= LEAST_STRETCH_NS && timeline.isFull() && !isTripped()) {
            diagnoseUntil(beforeStallsAt(untilNs), watch.observedUntil(nowNs));
        }
    }

    /** A stall belongs to one stretch, with all that happened shortly before it. */
    private long beforeStallsAt(long timeNs) {
        return timeline.of(TimelineEventType.STALL).stream()
                .filter(stall -> stall.endNs() - timeNs >= 0 && stall.timeNs() - timeNs <= 0)
                .mapToLong(stall -> stall.timeNs() - 2 * SETTLED_NS)
                .reduce(timeNs, Math::min);
    }

    private void diagnoseUntil(long untilNs, List<TimelineEvent> observed) {
        if (untilNs - undiagnosedNs <= 0) {
            return;
        }
        noteUnpolled();
        List<TimelineEvent> events = new ArrayList<>(timeline.takeUntil(untilNs));
        events.addAll(observed);
        WatchFindings stretch = findingsUntil(untilNs, events);
        diagnosed = diagnosed == null ? stretch : diagnosed.and(stretch);
        undiagnosedNs = untilNs;
        Set<StallKey> kept = new HashSet<>();
        diagnosed.standstills().stalls().forEach(stall -> kept.add(new StallKey(stall.atNs(), stall.thread())));
        unpolled.retainAll(kept);
    }

    private WatchFindings findingsUntil(long untilNs, List<TimelineEvent> events) {
        return findings(new Interval(undiagnosedNs, Math.max(undiagnosedNs, untilNs)), events);
    }

    private void noteUnpolled() {
        timeline.of(TimelineEventType.STALL).stream()
                .filter(stall ->
                        stall instanceof ThreadStall seen && seen.seen().subscription() != null)
                .forEach(stall -> unpolled.add(new StallKey(stall.timeNs(), stall.thread())));
    }

    /** Returns all windows that were written. */
    List<IncidentRecorder.Window> windows() {
        return watch.recorder().map(IncidentRecorder::windows).orElse(List.of());
    }

    /** Diagnoses the whole watch, which is closed. */
    WatchFindings findings() {
        noteUnpolled();
        WatchFindings rest = findingsUntil(endedNs, timeline.events());
        return diagnosed == null ? rest : diagnosed.and(rest);
    }

    private WatchFindings findings(Interval counted, List<TimelineEvent> events) {
        List<String> blind = new ArrayList<>(timeline.blind(events));
        blind.addAll(blindness.lines(counted));
        blind.addAll(unseen);
        return WatchFindings.of(String.valueOf(target.pid()), counted, events, watch.sockets(), maxima.values(), blind);
    }

    /**
     * Returns what has become blind since the last call, and what sees again, each one line.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    List<String> takeBlindness(long nowNs) {
        return hasEnded() ? List.of() : blindness.take(watch.behind(nowNs), nowNs);
    }

    /** Returns what late binds will wait for, as far as it has become known since the last call, each one line. */
    List<String> takeForecasts() {
        return forecasts.takeNews();
    }

    /** Returns in one line what was not kept; empty if all was. */
    Optional<String> dropped() {
        return timeline.dropped();
    }

    /**
     * Ends the watch. Nobody can look into a process that has ended.
     *
     * @param failure of an instrument, or of a thread of the lab that died; {@code null}: none
     */
    void close(@Nullable Throwable failure) {
        forecasts.close();
        long nowNs = System.nanoTime();
        endedNs = timeline.of(TimelineEventType.PROCESS_ENDED).stream()
                .mapToLong(TimelineEvent::timeNs)
                .reduce(nowNs, Math::min);
        blindness.take(watch.behind(nowNs), nowNs);
        blindness.end(InstrumentRunner.BLIND_NS, endedNs);
        unseen = Unseen.lines(target, watch.sockets(), failure);
        watch.close();
        isClosed = true;
    }
}
