package org.naklab.lab.instruments.kernel.datagrams;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;

/**
 * Reports datagrams for the feed's port that are not of the feed: of other senders, or to other addresses. An event covers the time until a sender
 * pauses for 200 ms.
 */
final class ForeignSenders {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** A shorter time between two readings says nothing about a rate. */
    private static final long LEAST_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Feed feed;
    private final TimelineListener listener;
    private final Map<DatagramFlow, Activity> activities = new HashMap<>();

    /** Tells what one sender has sent since its last pause. */
    private static final class Activity {
        private long beginNs;
        private long endNs;
        private long readNs;
        private long toldCount;
        private long toldBytes;
        private long count;
        private long bytes;
        private long peakPerSecond;
    }

    ForeignSenders(Feed feed, TimelineListener listener) {
        this.feed = feed;
        this.listener = listener;
    }

    /** Takes what a sender has sent so far. */
    void onArrivals(DatagramFlow flow, ArrivalCount now) {
        endBefore(now.timeNs() - PAUSE_NS);
        Activity activity = activities.computeIfAbsent(flow, key -> new Activity());
        boolean isNew = activity.count == activity.toldCount;
        if (isNew) {
            activity.beginNs = activity.count == 0 ? now.firstNs() : Math.min(now.lastNs(), activity.readNs);
            activity.peakPerSecond = 0;
        }
        long periodNs = Math.max(LEAST_PERIOD_NS, now.lastNs() - (isNew ? activity.beginNs : activity.endNs));
        long perSecond = Math.round((now.count() - activity.count) * Units.NS_PER_S / periodNs);
        activity.peakPerSecond = Math.max(activity.peakPerSecond, perSecond);
        activity.count = now.count();
        activity.bytes = now.bytes();
        activity.endNs = now.lastNs();
        activity.readNs = now.timeNs();
    }

    /** Reports those that have sent nothing since a time. */
    void endBefore(long timeNs) {
        activities.forEach((flow, activity) -> {
            if (activity.count > activity.toldCount && timeNs - activity.endNs > 0) {
                report(flow, activity);
                activity.toldCount = activity.count;
                activity.toldBytes = activity.bytes;
            }
        });
    }

    private void report(DatagramFlow flow, Activity activity) {
        listener.onEvent(new DatagramEvent.Foreign(
                new Interval(activity.beginNs, activity.endNs),
                TimelineEvent.HOST,
                new DatagramEvent.Flow(flow.sender(), flow.destination(), flow.port()),
                feed.isTo(flow),
                activity.count - activity.toldCount,
                activity.bytes - activity.toldBytes,
                activity.peakPerSecond));
    }
}
