package org.naklab.lab.instruments.series;

import java.nio.charset.StandardCharsets;
import org.naklab.lab.core.series.SeriesName;

/** A named series of readings. Owned by the sampler's thread, which alone changes it. */
public final class Series {
    private final SeriesName name;
    private final byte[] nameBytes;
    private long last;
    private boolean empty = true;

    public Series(SeriesName name) {
        this.name = name;
        nameBytes = name.toString().getBytes(StandardCharsets.UTF_8);
    }

    public SeriesName name() {
        return name;
    }

    /** Returns the name as it is in a file; the array must not be changed. */
    byte[] nameBytes() {
        return nameBytes;
    }

    /** Takes a reading; true when it is the first or differs from the one before. */
    boolean changeTo(long value) {
        if (!empty && value == last) {
            return false;
        }
        empty = false;
        last = value;
        return true;
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
