package org.naklab.lab.cli.watch;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;

/** Prints the state of the incident recorder of a watch: waiting, triggered by what, and the path of the window. One thread. */
final class RecorderReport {
    private final @Nullable IncidentRecorder recorder;
    private final @Nullable Path directory;
    private final WatchConsole console;
    private IncidentRecorder.State told = IncidentRecorder.State.WATCHING;

    /** @param directory of the window; {@code null} of a watch that does not record */
    RecorderReport(Watch watch, @Nullable Path directory, WatchConsole console) {
        recorder = watch.recorder().orElse(null);
        this.directory = directory;
        this.console = console;
    }

    void begin() {
        if (recorder != null) {
            console.print("the first rise, drop or NAK will be recorded in " + directory);
        }
    }

    /** Prints each change of the recorder once. */
    void printNews() {
        IncidentRecorder.State now = recorder == null ? told : recorder.state();
        if (recorder == null || now == told) {
            return;
        }
        if (told == IncidentRecorder.State.WATCHING) {
            recorder.trip()
                    .ifPresent(trip -> console.print("recorder tripped by "
                            + trip.type().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        if (now == IncidentRecorder.State.WRITTEN) {
            console.print("window written to " + directory + "; recording has ended");
            recorder.missing().forEach(line -> console.print("  missing: " + line));
        }
        told = now;
    }

    /** Prints the end of the recording, after the watch was closed. */
    void end() {
        printNews();
        if (recorder != null && told == IncidentRecorder.State.WATCHING) {
            console.print("the recorder was not tripped: no window in " + directory);
        }
    }
}
