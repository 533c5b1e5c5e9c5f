package org.naklab.lab.instruments.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceSummary;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.WindowListener;

/**
 * The kernel's trace of all CPUs in bounded rings: switches and wake-ups of threads, interrupts, soft interrupts, expired timers and page faults. An incident that is worse
 * than all before it
 * stops a set of rings at once, on the thread that reports the incident, and a second set goes on: what is kept is always of the worst incident so far. It is written with
 * the window of the flight recorder.
 */
public final class TraceRing implements Instrument, TimelineListener, WindowListener {
    private static final TraceTrigger.Harm NONE = new TraceTrigger.Harm(-1, 0);

    private final TraceTrigger trigger;
    private final BooleanSupplier isWantedAgain;
    private final AtomicReference<@Nullable DetectException> failure = new AtomicReference<>();
    private TraceInstance recording;
    private TraceInstance kept;
    private boolean isOn;
    private boolean isRead;
    private boolean isClosed;
    private @Nullable Stop worst;
    /** Stopped the recording while the kept one was read, and waits to be kept. */
    private @Nullable Stop waiting;

    private @Nullable Stop written;
    private @Nullable Thread clearing;

    /** The end of a recording. The event is {@code null} if none caused it. */
    private record Stop(@Nullable TimelineEvent event, TraceTrigger.Harm harm, long reportedNs, long stoppedNs) {
        private Stop with(TraceTrigger.Harm other) {
            return new Stop(event, other, reportedNs, stoppedNs);
        }

        /** Returns whether an event was over when the recording ended. The rings hold what is reported late, too. */
        private boolean holds(TimelineEvent other) {
            return event != null && other.interval().endNs() <= stoppedNs;
        }
    }

    private TraceRing(
            TraceInstance recording, TraceInstance kept, TraceTrigger trigger, BooleanSupplier isWantedAgain) {
        this.recording = recording;
        this.kept = kept;
        this.trigger = trigger;
        this.isWantedAgain = isWantedAgain;
    }

    /**
     * Starts to record. Nothing stops it before {@link #armFrom}.
     *
     * @param trips the events that end an incident
     * @param threads names of threads whose kernel stack is recorded when they leave their CPU
     * @param isWantedAgain whether another window may follow the one that was just written
     * @param undo removes the instances if this process is killed
     * @throws DetectException if the kernel or this user has no trace; the message says what to do
     */
    public static TraceRing start(
            Set<TimelineEventType> trips, List<String> threads, BooleanSupplier isWantedAgain, TraceUndo undo) {
        TraceInstance first = TraceInstance.create(threads, undo);
        try {
            TraceInstance second = TraceInstance.create(threads, undo);
            TraceRing ring = new TraceRing(first, second, new TraceTrigger(trips), isWantedAgain);
            ring.rehearse();
            return ring;
        } catch (DetectException e) {
            first.close();
            throw e;
        }
    }

    /** Stops it once before anything is recorded, so that all classes are loaded when it matters: the first call would take milliseconds. */
    private synchronized void rehearse() {
        isOn = true;
        trigger.armFrom(0);
        onEvent(TimelineEvent.of(0, TimelineEventType.STALL, "lab", "", Map.of()));
        trigger.armFrom(Long.MAX_VALUE);
        recording.off();
        recording.clear();
        worst = null;
        recording.on();
    }

    /** Arms it: events before that time, CLOCK_MONOTONIC, do not stop it. Any thread. */
    public void armFrom(long timeNs) {
        trigger.armFrom(timeNs);
    }

    /** Stops the trace if the event ends the worst incident so far. Any thread; must be called when an instrument reports the event, not later. */
    @Override
    public void onEvent(TimelineEvent event) {
        long reportedNs = System.nanoTime();
        take(trigger.trip(event), reportedNs);
    }

    private synchronized void take(TraceTrigger.@Nullable Trip trip, long reportedNs) {
        if (trip == null || isClosed) {
            return;
        }
        if (trip.wasCut()) {
            waiting = longer(waiting, trip);
            worst = longer(worst, trip);
        } else if (worst != null && worst.holds(trip.event())) {
            worst = worst.with(worst.harm().and(trip.harm()));
        } else if (waiting != null && waiting.holds(trip.event())) {
            waiting = waiting.with(waiting.harm().and(trip.harm()));
        } else if (isOn && trip.harm().isWorseThan(harmOf(worst)) && trip.harm().isWorseThan(harmOf(waiting))) {
            recording.off();
            isOn = false;
            Stop stop = new Stop(trip.event(), trip.harm(), reportedNs, System.nanoTime());
            if (isRead) {
                waiting = stop;
            } else {
                keep(stop);
            }
        }
    }

    /** An incident that the trace was stopped for while it went on is as bad as it was in the end. */
    private static @Nullable Stop longer(@Nullable Stop stop, TraceTrigger.Trip trip) {
        boolean isIts = stop != null
                && stop.event() != null
                && stop.event().type() == TimelineEventType.STALL_BEGAN
                && stop.event().process().equals(trip.event().process())
                && stop.event().thread().equals(trip.event().thread())
                && trip.harm().isWorseThan(stop.harm());
        return stop != null && isIts ? stop.with(trip.harm()) : stop;
    }

    private static TraceTrigger.Harm harmOf(@Nullable Stop stop) {
        return stop == null ? NONE : stop.harm();
    }

    private void keep(Stop stop) {
        worst = stop;
        TraceInstance next = kept;
        kept = recording;
        recording = next;
        resume();
    }

    /** Records at once in a ring that is empty; another one is cleared first, which the reporter of an incident does not wait for. */
    private void resume() {
        TraceInstance next = recording;
        if (next.isClean()) {
            next.on();
            isOn = true;
            return;
        }
        Thread thread = new Thread(() -> clear(next), "trace-clear");
        thread.setDaemon(true);
        thread.start();
        clearing = thread;
    }

    private void clear(TraceInstance next) {
        try {
            next.clear();
            synchronized (this) {
                if (!isClosed && recording == next && !isOn) {
                    next.on();
                    isOn = true;
                }
            }
        } catch (DetectException e) {
            failure.set(e);
        }
    }

    @Override
    public String describe() {
        TraceSettings settings = recording.settings();
        String more = settings.tracers().isEmpty() ? "" : ", and the tracer " + String.join(", ", settings.tracers());
        String without =
                settings.missing().isEmpty() ? "" : "; this kernel has no " + String.join(", ", settings.missing());
        return "kernel trace of all CPUs, twice " + TraceSettings.BUFFER_KIB / 1_024 + " MiB each: "
                + settings.events().size() + " tracepoints" + more + without;
    }

    /** Stops the trace of a stall that lasts longer than the rings can hold. */
    @Override
    public void sample(long nowNs, SampleSink sink) {
        DetectException failed = failure.getAndSet(null);
        if (failed != null) {
            throw failed;
        }
        take(trigger.overdue(nowNs), System.nanoTime());
    }

    /** Writes the trace of the worst incident so far; if another window may follow, that window has a worst one of its own. */
    @Override
    public void onWindow(Path into, long fromNs, long toNs) {
        if (isClosed()) {
            return;
        }
        write(into);
        if (isWantedAgain.getAsBoolean()) {
            synchronized (this) {
                worst = null;
                trigger.armFrom(toNs);
            }
        }
    }

    /** Writes the trace of the worst incident over that of a former one, if there was a worse one since. */
    public void writeWorst(Path into) {
        boolean isWorse;
        synchronized (this) {
            isWorse = !isClosed && worst != null && written != null && !worst.equals(written);
        }
        if (isWorse) {
            write(into);
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private void write(Path into) {
        TraceInstance source;
        Stop stop;
        synchronized (this) {
            if (worst == null) {
                recording.off();
                isOn = false;
                keep(new Stop(null, NONE, System.nanoTime(), System.nanoTime()));
            }
            stop = worst;
            source = kept;
            isRead = true;
        }
        try {
            OutputFile.replace(into.resolve(TraceFile.NAME), source::writeTo);
            Json.write(into.resolve(TraceSummary.NAME), summary(source, stop));
        } catch (IOException e) {
            throw new DetectException("the kernel's trace is not in " + into + ": " + e.getMessage(), e);
        } finally {
            onRead(stop);
        }
    }

    private synchronized void onRead(@Nullable Stop stop) {
        isRead = false;
        written = stop;
        Stop next = waiting;
        waiting = null;
        if (next != null && !isClosed) {
            keep(next);
        }
    }

    private static TraceSummary summary(TraceInstance source, @Nullable Stop ended) throws IOException {
        TimelineEvent event = ended == null ? null : ended.event();
        long reportedNs = ended == null ? 0 : ended.reportedNs();
        long stoppedNs = ended == null ? 0 : ended.stoppedNs();
        return new TraceSummary(
                new TraceSummary.Trigger(
                        event == null ? null : event.type().name(),
                        event == null ? null : event.process(),
                        event == null ? null : event.thread()),
                new TraceSummary.Times(
                        event == null ? 0 : event.timeNs(),
                        reportedNs,
                        stoppedNs,
                        (stoppedNs - reportedNs) / Units.NS_PER_US),
                TraceSettings.BUFFER_KIB,
                source.cpus(),
                new TraceSummary.Sources(
                        source.settings().events(),
                        source.settings().tracers(),
                        source.settings().missing()));
    }

    /** Stops, and removes the instances from the kernel, which lets go of one only when nobody has a file of it open. */
    @Override
    public void close() {
        Thread last;
        TraceInstance first;
        TraceInstance second;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            last = clearing;
            first = recording;
            second = kept;
        }
        boolean isInterrupted = false;
        while (last != null && last.isAlive()) {
            try {
                last.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        try (second) {
            first.close();
        }
    }
}
