package org.naklab.lab.scenarios.evidence;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.core.timeline.TimelineWriter;

/** Writes a run's timeline as long as it can be written; where it no longer can, that is noted once. Thread-safe. */
public final class KeptTimeline implements TimelineListener, AutoCloseable {
    private final Unkept unkept;
    private @Nullable TimelineWriter writer;

    public KeptTimeline(Path file, Unkept unkept) {
        this.unkept = unkept;
        unkept.attempt(() -> writer = TimelineWriter.create(file));
    }

    @Override
    public synchronized void onEvent(TimelineEvent event) {
        TimelineWriter open = writer;
        if (open != null && !unkept.attempt(() -> open.onEvent(event))) {
            close();
        }
    }

    @Override
    public synchronized void close() {
        TimelineWriter open = writer;
        writer = null;
        if (open != null) {
            unkept.attempt(open::close);
        }
    }
}
