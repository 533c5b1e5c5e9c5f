package org.naklab.messaging.lbtrm;

import java.util.concurrent.TimeUnit;
import org.agrona.SystemUtil;

/**
 * Tells how long a sender ignores NAKs for what it has just sent again: {@code transport_lbtrm_ignore_interval}. LBT-RM's default is 500 ms, longer than
 * its NAK back-off of 200 ms, so that a datagram which is lost twice waits for the interval to end. The lab's default is shorter than any back-off.
 */
public final class IgnoreInterval {
    /** Sets the interval of a process, with a unit such as {@code 500ms}. */
    public static final String PROPERTY = "naklab.lbtrm.ignore.interval";

    static final long DEFAULT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private IgnoreInterval() {}

    /** Returns the interval that the property sets, or the default, ns. */
    public static long ofPropertyNs() {
        return SystemUtil.getDurationInNanos(PROPERTY, DEFAULT_NS);
    }
}
