package org.naklab.journaler.disk;

import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.core.time.TimeProvider;

/** The clock that Chronicle rolls by: the last receive timestamp, so that the events alone decide when a file rolls. */
public final class ReceiveTime implements TimeProvider {
    private long timeMs;
    private long lastMs = Long.MAX_VALUE;

    /** Begins at a time; nanoseconds since the epoch. */
    public ReceiveTime(long startNs) {
        timeMs = TimeUnit.NANOSECONDS.toMillis(startNs);
    }

    /** Moves on; time that steps back stands still here, or it would reopen a file that has rolled. */
    public void advanceTo(long receiveTimestampNs) {
        timeMs = Math.max(timeMs, TimeUnit.NANOSECONDS.toMillis(receiveTimestampNs));
    }

    /** Lets the file in use take what comes, until {@link #resume}: its last millisecond does not pass. */
    public void holdAt(long lastMillisecondMs) {
        lastMs = lastMillisecondMs;
    }

    /** Lets time pass again. */
    public void resume() {
        lastMs = Long.MAX_VALUE;
    }

    /** Returns the time of the last receive timestamp, whether it is held or not. */
    public long latestMs() {
        return timeMs;
    }

    @Override
    public long currentTimeMillis() {
        return Math.min(timeMs, lastMs);
    }
}
