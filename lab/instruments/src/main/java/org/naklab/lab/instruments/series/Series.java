package org.naklab.lab.instruments.series;

import java.nio.charset.StandardCharsets;

/**
 * A named series of readings. Owned by the sampler's thread, which alone changes it.
 *
 * <p>Names are {@code instrument.subject.quantityUnit}, such as {@code socket.mds.4711.depthBytes}.
 */
public final class Series {
    private final String name;
    private final byte[] nameBytes;
    private long last;
    private boolean empty = true;

    public Series(String name) {
        this.name = name;
        nameBytes = name.getBytes(StandardCharsets.UTF_8);
    }

    public String name() {
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
        return name;
    }
}
