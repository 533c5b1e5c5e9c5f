package org.naklab.journaler;

import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.core.time.TimeProvider;

/** The clock that Chronicle rolls by: the last receive timestamp, so that the events alone decide when a file rolls. */
final class ReceiveTime implements TimeProvider {
    private long timeMs;

    ReceiveTime(long startNs) {
        timeMs = TimeUnit.NANOSECONDS.toMillis(startNs);
    }

    /** Moves on; time that steps back stands still here, or it would reopen a file that has rolled. */
    void advanceTo(long receiveTimestampNs) {
        timeMs = Math.max(timeMs, TimeUnit.NANOSECONDS.toMillis(receiveTimestampNs));
    }

    @Override
    public long currentTimeMillis() {
        return timeMs;
    }
}
