package org.naklab.lab.scenarios.evidence;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleWriter;
import org.naklab.lab.instruments.series.Series;

/**
 * Writes a run's samples as long as they can be written. Where they no longer can, as on a full disk, that is noted once, the file ends
 * there, and whoever else takes samples gets them all the same. One thread.
 */
public final class KeptSamples implements SampleConsumer {
    private final Unkept unkept;
    private @Nullable SampleWriter writer;

    public KeptSamples(Path file, Unkept unkept) {
        this.unkept = unkept;
        unkept.attempt(() -> writer = SampleWriter.create(file, SampleWriter.DEFAULT_MAX_ROWS));
    }

    @Override
    public void onSample(long timeNs, Series series, long value) {
        SampleWriter open = writer;
        if (open != null && !unkept.attempt(() -> open.onSample(timeNs, series, value))) {
            close();
        }
    }

    @Override
    public void close() {
        SampleWriter open = writer;
        writer = null;
        if (open != null) {
            unkept.attempt(open::close);
        }
    }
}
