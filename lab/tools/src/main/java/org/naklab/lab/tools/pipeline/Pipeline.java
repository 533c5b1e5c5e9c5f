package org.naklab.lab.tools.pipeline;

import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.Units;
import org.naklab.lab.tools.threads.StageTimes;
import org.naklab.lab.tools.threads.ThreadAllocation;
import org.naklab.lab.tools.threads.ThreadTimes;
import org.naklab.messaging.Backoff;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Ports;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.subscriber.MarketDataService;
import org.naklab.subscriber.ServiceCounters;
import org.naklab.subscriber.ServiceRole;

/**
 * The whole market data service: multicast receipt, ring, order books and system of record. With Aeron's own flow control,
 * so that the sender waits for it and the rate is the service's own.
 */
public final class Pipeline implements Candidate {
    /** The first tenth of the feed does not count for allocation: maps and pools still grow. */
    private static final int WARM_UP_FRACTION = 10;

    private static final int RING_SLOTS = 1 << 14;

    private final EncodedFeed feed;
    private final BenchDirectory directory;
    private final @Nullable Observer observer;
    private final long eventsPerSecond;
    private final StageTimes stages = new StageTimes();
    private double contextBytesPerMessage;
    private double businessBytesPerMessage;

    /** Whoever looks at a run, from before the launch until after the close. */
    public interface Observer {
        /** Prepares the contexts before the service is launched. */
        void prepare(MarketDataService.Context service, MessagingContext.Context messaging, String aeronDirectory);

        /** Handles the start: the service is up, and no traffic flows yet. */
        void onLaunch(MarketDataService service);

        /** Handles the end of the run: every event is in the books and in the journal, and the service still runs. */
        void onEnd();
    }

    Pipeline(EncodedFeed feed, BenchDirectory directory) {
        this(feed, directory, null);
    }

    /**
     * Creates one whose sender sends as fast as the service takes its events.
     *
     * @param observer on each run, if any
     */
    public Pipeline(EncodedFeed feed, BenchDirectory directory, @Nullable Observer observer) {
        this(feed, directory, observer, 0);
    }

    /**
     * Creates one of which the sender keeps a pace.
     *
     * @param observer on each run, if any
     * @param eventsPerSecond 0: as fast as the service takes them
     */
    public Pipeline(EncodedFeed feed, BenchDirectory directory, @Nullable Observer observer, long eventsPerSecond) {
        this.eventsPerSecond = eventsPerSecond;
        this.feed = feed;
        this.directory = directory;
        this.observer = observer;
    }

    /** Returns the heap bytes per message that the context thread allocated in the last run. */
    double contextBytesPerMessage() {
        return contextBytesPerMessage;
    }

    /** Returns the heap bytes per message that the business thread allocated in the last run. */
    double businessBytesPerMessage() {
        return businessBytesPerMessage;
    }

    /** Returns the CPU times of all runs that were not forgotten. */
    StageTimes stages() {
        return stages;
    }

    @Override
    public double perSecond() {
        TopicChannels channels = TopicChannels.onLoopback(Ports.findFreeBase());
        String aeron = directory.aeron();
        MessagingContext.Context messaging = new MessagingContext.Context()
                .channels(channels)
                .profile(TransportProfile.AERON)
                .receiveBufferBytes(RawTransport.receiveBufferBytes())
                .aeronDirectory(aeron);
        MarketDataService.Context context = contextOf(messaging);
        if (observer != null) {
            observer.prepare(context, messaging, aeron);
        }
        try (MarketDataService service = MarketDataService.launch(context)) {
            if (observer != null) {
                observer.onLaunch(service);
            }
            try (FeedSource source = new FeedSource(feed, channels, directory.aeron(), eventsPerSecond)) {
                return measure(service, source);
            } finally {
                if (observer != null) {
                    observer.onEnd();
                }
            }
        }
    }

    private double measure(MarketDataService service, FeedSource source) {
        ServiceCounters counters = service.counters();
        await(service, feed.events() / WARM_UP_FRACTION);
        long from = counters.received();
        long finishedFrom = finished(counters);
        long beginNs = System.nanoTime();
        ThreadTimes begin = ThreadTimes.of(ProcessHandle.current().pid());
        ThreadAllocation context = ThreadAllocation.of("mds-context");
        ThreadAllocation business = ThreadAllocation.of("mds-business");
        await(service, feed.events());
        long endNs = System.nanoTime();
        stages.add(
                ThreadTimes.of(ProcessHandle.current().pid()).since(begin),
                finished(counters) - finishedFrom,
                endNs - beginNs);
        double messages = counters.received() - from;
        contextBytesPerMessage = context.bytes() / messages;
        businessBytesPerMessage = business.bytes() / messages;
        requireWhole(counters);
        return feed.events() * Units.NS_PER_S / (endNs - source.beginNs());
    }

    private MarketDataService.Context contextOf(MessagingContext.Context messaging) {
        return new MarketDataService.Context()
                .name(ProcessNames.SERVICE)
                .role(ServiceRole.SERVICE)
                .ringSize(RING_SLOTS)
                .messagingContext(messaging)
                .journalContext(
                        new Journal.Context().directory(directory.disk()).forceOnClose(false));
    }

    /** Returns the number of events that are both in the books and in the journal. */
    public static long finished(ServiceCounters counters) {
        return Math.min(counters.applied(), counters.journaled());
    }

    /** Waits until that many events are both in the books and in the journal. */
    private static void await(MarketDataService service, long events) {
        ServiceCounters counters = service.counters();
        IdleStrategy idle = Backoff.newStrategy();
        Deadline deadline = new Deadline("the pipeline");
        while (finished(counters) < events) {
            Throwable failure = service.failure();
            if (failure != null) {
                throw new IllegalStateException("the service failed: " + failure.getMessage(), failure);
            }
            idle.idle(0);
            deadline.check(counters.applied() + counters.journaled());
        }
    }

    private void requireWhole(ServiceCounters counters) {
        if (counters.missing() != 0 || counters.duplicated() != 0 || counters.journaled() != feed.events()) {
            throw new IllegalStateException("the pipeline lost or doubled events; its rate means nothing");
        }
    }
}
