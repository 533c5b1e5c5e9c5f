package org.naklab.lab.cli.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.guard.Guard;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.aeron.UnitMember;
import org.naklab.lab.instruments.threads.ReceiverStallDetector;
import org.naklab.lab.instruments.threads.StandstillClaims;
import org.naklab.lab.instruments.trace.TraceUndo;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.instruments.watch.WindowDirectories;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.watch.SeriesMaxima;
import org.naklab.lab.watch.WatchFindings;
import org.naklab.lab.watch.WatchTimeline;

/** One process under watch, from attaching to its end or that of the watch. */
final class WatchSession implements AutoCloseable {
    /** Started when it is needed; undoes when this process has ended, however it ended. */
    private static final Guard GUARD = new Guard();

    private static final TraceUndo UNDO = (what, command) -> GUARD.toRun(what, command)::kept;
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(1);

    private final WatchTarget target;
    private final String command;
    private final @Nullable WindowDirectories directories;
    private final Watch watch;
    private final WatchTimeline timeline;
    private final SeriesMaxima maxima;
    private final long beganNs;
    private volatile boolean hasEnded;
    private int reportedWindows;
    private long stallsTakenNs;
    private boolean isTripReported;
    private boolean isClosed;

    private WatchSession(
            WatchTarget target,
            String command,
            @Nullable WindowDirectories directories,
            long beganNs,
            Watch watch,
            WatchTimeline timeline,
            SeriesMaxima maxima) {
        this.target = target;
        this.command = command;
        this.directories = directories;
        this.watch = watch;
        this.timeline = timeline;
        this.maxima = maxima;
        this.beganNs = beganNs;
        stallsTakenNs = beganNs;
    }

    /**
     * Attaches to a process.
     *
     * @param directories of the windows; {@code null}: nothing is recorded
     * @param claims of the clients of a media driver
     * @param metrics counts the events, of a media driver and its clients those of the driver
     * @throws org.naklab.lab.core.timeline.DetectException it cannot be watched
     */
    static WatchSession attach(
            WatchTarget target,
            StandstillClaims claims,
            @Nullable WindowDirectories directories,
            WatchConsole console,
            MetricsOption.Session metrics,
            ErrorHandler errorHandler) {
        long pid = target.pid();
        String process = String.valueOf(pid);
        WatchTimeline timeline = new WatchTimeline(console);
        SeriesMaxima maxima = new SeriesMaxima();
        long beganNs = System.nanoTime();
        maxima.countFrom(beganNs);
        String command =
                ProcessHandle.of(pid).flatMap(handle -> handle.info().command()).orElse("");
        TimelineListener listener = target.isClient() ? timeline : metrics.before(pid, timeline);
        Watch watch = attach(target, claims, directories, listener, maxima, errorHandler);
        console.setReaders(process, watch::readers);
        return new WatchSession(target, command, directories, beganNs, watch, timeline, maxima);
    }

    private static Watch attach(
            WatchTarget target,
            StandstillClaims claims,
            @Nullable WindowDirectories directories,
            TimelineListener listener,
            SeriesMaxima maxima,
            ErrorHandler errorHandler) {
        String process = String.valueOf(target.pid());
        UnitMember member = target.member();
        if (member != null) {
            return Watch.attachMember(process, member, claims, directories, listener, List.of(maxima), errorHandler);
        }
        return directories == null
                ? Watch.attach(process, target.pid(), listener, List.of(maxima), errorHandler)
                : Watch.attachRecording(
                        process, target.pid(), directories, listener, List.of(maxima), UNDO, errorHandler);
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

    /** Returns the process for people: its id, its program, and its part in an Aeron unit. */
    String title() {
        return "process " + target.pid() + (command.isEmpty() ? "" : " (" + command + ")") + target.part();
    }

    /** Returns true once the process has ended. */
    boolean hasEnded() {
        hasEnded = hasEnded || timeline.has(TimelineEventType.PROCESS_ENDED);
        return hasEnded;
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
        return timeline.of(TimelineEventType.STALL).stream()
                .filter(event ->
                        event.timeNs() == stall.atNs() && event.thread().equals(stall.thread()))
                .anyMatch(event -> event.detail(ReceiverStallDetector.SUBSCRIPTION) != null);
    }

    /** Returns true if the recorder has ended: enough windows were written. */
    boolean isRecorded() {
        return watch.recorder()
                .filter(recorder -> recorder.state() == IncidentRecorder.State.WRITTEN)
                .isPresent();
    }

    /** Diagnoses a window by its events; again when the session is closed, as a stall may last longer than its window. */
    WatchFindings findings(IncidentRecorder.Window window) {
        List<TimelineEvent> events = new ArrayList<>(timeline.events().stream()
                .filter(event -> window.interval().overlaps(event.interval())
                        || window.interval().contains(event.timeNs()))
                .toList());
        if (!isClosed) {
            events.addAll(watch.recordedUntil(System.nanoTime()));
        }
        return findings(window.interval(), events);
    }

    /**
     * Returns the stalls that ended a second ago or earlier and were not returned before, with their causes: until then, records of the kernel may arrive.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    List<Stall> takeStalls(long nowNs) {
        long untilNs = nowNs - SETTLED_NS;
        LongPredicate isNew = timeNs -> timeNs - stallsTakenNs > 0;
        List<TimelineEvent> ended = timeline.of(TimelineEventType.STALL).stream()
                .filter(stall -> isNew.test(stall.timeNs()) && untilNs - stall.endNs() >= 0)
                .toList();
        if (ended.isEmpty()) {
            return List.of();
        }
        Interval window = new Interval(ended.get(0).timeNs() - SETTLED_NS, nowNs);
        List<TimelineEvent> events = new ArrayList<>(timeline.events().stream()
                .filter(event -> window.overlaps(event.interval()) || window.contains(event.timeNs()))
                .toList());
        events.addAll(watch.recordedUntil(nowNs));
        List<Stall> stalls = findings(window, events).stalls().stream()
                .filter(stall -> isNew.test(stall.atNs()) && untilNs - stall.endNs() >= 0)
                .toList();
        stallsTakenNs = ended.get(ended.size() - 1).timeNs();
        return stalls;
    }

    /** Returns all windows that were written. */
    List<IncidentRecorder.Window> windows() {
        return watch.recorder().map(IncidentRecorder::windows).orElse(List.of());
    }

    /** Diagnoses the whole watch; complete when it is closed. */
    WatchFindings findings() {
        return findings(new Interval(beganNs, System.nanoTime()), timeline.events());
    }

    private WatchFindings findings(Interval counted, List<TimelineEvent> events) {
        return WatchFindings.of(
                String.valueOf(target.pid()),
                counted,
                events,
                watch.sockets(),
                maxima.values(),
                timeline.blind(events));
    }

    @Override
    public void close() {
        watch.close();
        isClosed = true;
    }
}
