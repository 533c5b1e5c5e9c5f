package org.naklab.lab.watch;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.series.SeriesMaxima;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.instruments.watch.WindowDirectories;

/**
 * Watches the UDP sockets and the threads of this process, with the instruments of {@code naklab watch}, and records the window around the
 * first rise, drop or NAK. One thread.
 */
public final class SelfWatch implements AutoCloseable {
    private final String title;
    private final WatchTimeline timeline;
    private final SeriesMaxima maxima;
    private final AtomicReference<@Nullable Throwable> failure;
    private final Watch watch;
    private final long beganNs;

    private SelfWatch(
            String title,
            WatchTimeline timeline,
            SeriesMaxima maxima,
            AtomicReference<@Nullable Throwable> failure,
            Watch watch) {
        this.title = title;
        this.timeline = timeline;
        this.maxima = maxima;
        this.failure = failure;
        this.watch = watch;
        beganNs = System.nanoTime();
        maxima.countFrom(beganNs);
    }

    /**
     * Starts the instruments; takes about a second, because a JFR recording is started.
     *
     * @param title of what is watched, for people
     * @param directory of the recording; made if there is none
     * @throws DetectException the system cannot show the sockets of this process, or the directory holds a recording already
     */
    public static SelfWatch start(String title, Path directory) {
        long pid = ProcessHandle.current().pid();
        WatchTimeline timeline = new WatchTimeline(event -> {});
        SeriesMaxima maxima = new SeriesMaxima();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Watch watch = Watch.attachRecording(
                String.valueOf(pid),
                pid,
                WindowDirectories.of(directory, 1),
                timeline,
                List.of(maxima),
                null,
                error -> failure.compareAndSet(null, error));
        return new SelfWatch(title, timeline, maxima, failure, watch);
    }

    /**
     * Ends the watch and diagnoses it. If a window was recorded, writes {@code run.json} and {@code diagnosis.json} beside it.
     *
     * @throws DetectException an instrument failed, or the documents cannot be written
     */
    public WatchFindings end() {
        Interval counted = new Interval(beganNs, System.nanoTime());
        watch.close();
        Throwable failed = failure.get();
        if (failed != null) {
            throw new DetectException("an instrument failed: " + failed, failed);
        }
        WatchFindings findings = findings(counted);
        for (IncidentRecorder.Window window : windows()) {
            String version = String.valueOf(SelfWatch.class.getPackage().getImplementationVersion());
            new WatchDocuments(version, "run " + title, List.of())
                    .write(watch, title, window, findings)
                    .ifPresent(reason -> {
                        throw new DetectException(reason);
                    });
        }
        return findings;
    }

    private WatchFindings findings(Interval counted) {
        List<TimelineEvent> events = timeline.in(counted).stream()
                .filter(event -> !isOfTheEnd(event, counted))
                .toList();
        return WatchFindings.of(
                String.valueOf(ProcessHandle.current().pid()),
                counted,
                events,
                watch.sockets(),
                maxima.values(),
                timeline.blind(events));
    }

    /** A test that is over sends nothing more. */
    static boolean isOfTheEnd(TimelineEvent event, Interval counted) {
        return event.type() == TimelineEventType.FEED_SILENT && event.endNs() - counted.endNs() > 0;
    }

    /** Returns the window that was recorded; empty if nothing tripped the recorder, or before the end. */
    public List<IncidentRecorder.Window> windows() {
        return watch.recorder().map(IncidentRecorder::windows).orElse(List.of());
    }

    @Override
    public void close() {
        watch.close();
    }
}
