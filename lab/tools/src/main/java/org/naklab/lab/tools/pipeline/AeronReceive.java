package org.naklab.lab.tools.pipeline;

import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import org.agrona.concurrent.IdleStrategy;
import org.naklab.lab.core.Units;
import org.naklab.messaging.Backoff;
import org.naklab.messaging.Ports;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;

/** Receives the feed by plain Aeron multicast on the caller's thread and does nothing with it but count. */
final class AeronReceive implements Candidate {
    private static final int FRAGMENT_LIMIT = 64;

    private final EncodedFeed feed;
    private final BenchDirectory directory;
    private long received;

    AeronReceive(EncodedFeed feed, BenchDirectory directory) {
        this.feed = feed;
        this.directory = directory;
    }

    @Override
    public double perSecond() {
        received = 0;
        TopicChannels channels = TopicChannels.onLoopback(Ports.findFreeBase());
        ControlledFragmentHandler handler = (buffer, offset, length, header) -> {
            received++;
            return ControlledFragmentHandler.Action.CONTINUE;
        };
        IdleStrategy idle = Backoff.newStrategy();
        try (RawTransport transport = new RawTransport(directory.aeron());
                Subscription subscription = transport
                        .client()
                        .addSubscription(channels.uri(Topic.ORDER_BOOK_EVENTS), Topic.ORDER_BOOK_EVENTS.streamId());
                FeedSource source = new FeedSource(feed, channels, directory.aeron(), 0)) {
            Deadline deadline = new Deadline("the plain receiver");
            while (received < feed.messages()) {
                idle.idle(transport.doWork() + subscription.controlledPoll(handler, FRAGMENT_LIMIT));
                deadline.check(received);
            }
            return feed.events() * Units.NS_PER_S / (System.nanoTime() - source.beginNs());
        }
    }
}
