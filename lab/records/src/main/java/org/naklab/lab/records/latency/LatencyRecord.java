package org.naklab.lab.records.latency;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;

/**
 * Tells how late the events of the feed were at a subscriber, hop by hop, without the warm-up. All from the time at which an event was due
 * count it however late it was sent. A hop without any event has the count 0.
 *
 * @param dueToSent from the due time until the sender handed it to its transport
 * @param sentToReceived from there to the receipt thread
 * @param receivedToJournaled from receipt to the append to the journal; of the service only
 * @param receivedToBook from receipt to the order books
 * @param dueToJournaled from the due time to the append to the journal; of the service only
 * @param repair of datagrams that came in behind later ones, from the first of these until it came in
 * @param dueToBook from the due time to the order books
 * @param boundaryToSnapshot from the boundary of the second to the receipt of a snapshot; of a gateway only
 * @param late events that were in the order books late
 * @param leftOut events that no hop counts because their due time cannot be right
 */
public record LatencyRecord(
        Hop dueToSent,
        Hop sentToReceived,
        Hop receivedToJournaled,
        Hop receivedToBook,
        Hop dueToJournaled,
        Hop repair,
        Hop dueToBook,
        Hop boundaryToSnapshot,
        Late late,
        long leftOut) {
    /** The distribution of one hop; times in microseconds. */
    public record Hop(long count, double p50Us, double p99Us, double p999Us, double maxUs) {
        static final Hop NONE = new Hop(0, 0, 0, 0, 0);
    }

    /** Events by the time from due to the order books; those of {@link #dueToBook} are all. */
    public record Late(long over1Ms, long over10Ms, long over100Ms) {
        static final Late NONE = new Late(0, 0, 0);
    }

    public LatencyRecord {
        dueToSent = orNone(dueToSent);
        sentToReceived = orNone(sentToReceived);
        receivedToJournaled = orNone(receivedToJournaled);
        receivedToBook = orNone(receivedToBook);
        dueToJournaled = orNone(dueToJournaled);
        repair = orNone(repair);
        dueToBook = orNone(dueToBook);
        boundaryToSnapshot = orNone(boundaryToSnapshot);
        late = late == null ? Late.NONE : late;
    }

    /** Returns a latency as a number of milliseconds with three significant digits, without the unit. */
    public static String milliseconds(double latencyUs) {
        double ms = latencyUs / 1_000;
        int digits = ms < 0.9995 ? 3 : ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f", ms);
    }

    /**
     * Returns the share of events that were in the order books later than one of the limits.
     *
     * @param over one of the figures of {@link #late}
     * @return 0 to 1; 0 without events
     */
    public double share(long over) {
        return dueToBook.count() == 0 ? 0 : (double) over / dueToBook.count();
    }

    /** Returns the figures in few words: how many were late, and how late. */
    public String sentence() {
        return percent(share(late.over10Ms())) + " over 10 ms, p50 " + milliseconds(dueToBook.p50Us()) + " ms, p99.9 "
                + milliseconds(dueToBook.p999Us()) + " ms, max " + milliseconds(dueToBook.maxUs()) + " ms"
                + (leftOut == 0 ? "" : "; " + Format.count(leftOut) + " left out: their due times cannot be right");
    }

    /** Returns a share as a percentage; one that is not 0 is not written as 0. */
    public static String percent(double share) {
        if (share == 0) {
            return "0 %";
        }
        return share < 0.0005 ? "< 0.1 %" : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static Hop orNone(@Nullable Hop hop) {
        return hop == null ? Hop.NONE : hop;
    }
}
