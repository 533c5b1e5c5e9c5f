package org.naklab.lab.bench;

import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
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
final class Pipeline implements Contestant {
    /** The first tenth of the feed does not count for allocation: maps and pools still grow. */
    private static final int WARM_UP_FRACTION = 10;

    private static final int RING_SLOTS = 1 << 14;

    private final EncodedFeed feed;
    private final BenchDirectory directory;
    private final boolean watched;
    private double samplerShare;
    private double contextBytesPerMessage;
    private double businessBytesPerMessage;

    Pipeline(EncodedFeed feed, BenchDirectory directory) {
        this(feed, directory, false);
    }

    /** @param watched whether all instruments are on */
    Pipeline(EncodedFeed feed, BenchDirectory directory, boolean watched) {
        this.feed = feed;
        this.directory = directory;
        this.watched = watched;
    }

    /** Of the last run: what the sampler took of a core, 0 to 1. */
    double samplerShare() {
        return samplerShare;
    }

    /** Of the last run: heap bytes that the context thread allocated, by message. */
    double contextBytesPerMessage() {
        return contextBytesPerMessage;
    }

    /** Of the last run: heap bytes that the business thread allocated, by message. */
    double businessBytesPerMessage() {
        return businessBytesPerMessage;
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
        if (!watched) {
            return perSecond(context, channels, null);
        }
        try (PipelineWatch watch = PipelineWatch.prepare(context, messaging, aeron, directory.made())) {
            double perSecond = perSecond(context, channels, watch);
            samplerShare = watch.samplerCost().cpuShare();
            return perSecond;
        }
    }

    private double perSecond(MarketDataService.Context context, TopicChannels channels, @Nullable PipelineWatch watch) {
        try (MarketDataService service = MarketDataService.launch(context)) {
            if (watch != null) {
                watch.attach(service);
            }
            try (FeedSource source = new FeedSource(feed, channels, directory.aeron())) {
                return measure(service, source, watch);
            }
        }
    }

    private double measure(MarketDataService service, FeedSource source, @Nullable PipelineWatch watch) {
        ServiceCounters counters = service.counters();
        await(service, feed.events() / WARM_UP_FRACTION);
        if (watch != null) {
            watch.warm();
        }
        long from = counters.received();
        ThreadAllocation context = ThreadAllocation.of("mds-context");
        ThreadAllocation business = ThreadAllocation.of("mds-business");
        await(service, feed.events());
        long endNs = System.nanoTime();
        double messages = counters.received() - from;
        contextBytesPerMessage = context.bytes() / messages;
        businessBytesPerMessage = business.bytes() / messages;
        requireWhole(counters);
        return feed.events() * 1e9 / (endNs - source.beginNs());
    }

    private MarketDataService.Context contextOf(MessagingContext.Context messaging) {
        return new MarketDataService.Context()
                .name("mds")
                .role(ServiceRole.SERVICE)
                .ringSize(RING_SLOTS)
                .messagingContext(messaging)
                .journalContext(
                        new Journal.Context().directory(directory.disk()).forceOnClose(false));
    }

    /** Until so many events are both in the books and in the journal. */
    private static void await(MarketDataService service, long events) {
        ServiceCounters counters = service.counters();
        IdleStrategy idle = RawTransport.idleStrategy();
        Deadline deadline = new Deadline("the pipeline");
        while (Math.min(counters.applied(), counters.journaled()) < events) {
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
