package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.detect.FlightRecorder;
import org.naklab.lab.detect.Watch;

/** What a watch says of its flight recorder: that it waits, what tripped it, and where the window is. One thread. */
final class RecorderReport {
    private final @Nullable FlightRecorder recorder;
    private final @Nullable Path directory;
    private final WatchConsole console;
    private FlightRecorder.State told = FlightRecorder.State.WATCHING;

    /** @param directory of the window; {@code null} of a watch that does not record */
    RecorderReport(Watch watch, @Nullable Path directory, WatchConsole console) {
        recorder = watch.recorder().orElse(null);
        this.directory = directory;
        this.console = console;
    }

    void begin() {
        if (recorder != null) {
            console.say("the first rise, drop or NAK is recorded in " + directory);
        }
    }

    /** Each once. */
    void tellNews() {
        FlightRecorder.State now = recorder == null ? told : recorder.state();
        if (recorder == null || now == told) {
            return;
        }
        if (told == FlightRecorder.State.WATCHING) {
            recorder.trip()
                    .ifPresent(trip -> console.say("recorder tripped by "
                            + trip.type().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        if (now == FlightRecorder.State.WRITTEN) {
            console.say("window written to " + directory + "; nothing more is recorded");
            recorder.missing().forEach(line -> console.say("  missing: " + line));
        }
        told = now;
    }

    /** After the watch was closed. */
    void end() {
        tellNews();
        if (recorder != null && told == FlightRecorder.State.WATCHING) {
            console.say("nothing tripped the recorder: no window in " + directory);
        }
    }
}
