package org.naklab.lab.tools.pipeline;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.naklab.lab.core.Units;
import org.naklab.messaging.Backoff;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;

/** Sends an encoded feed at a pace, or as fast as the receiver's window lets it, from a thread of its own; then lingers until it is closed. */
final class FeedSource implements AutoCloseable {
    private final SourceAgent agent;
    private final AgentRunner runner;

    /** @param perSecond 0: as fast as the receiver's window lets it */
    FeedSource(EncodedFeed feed, TopicChannels channels, String directory, long perSecond) {
        agent = new SourceAgent(feed, channels, new RawTransport(directory), perSecond);
        runner = new AgentRunner(
                Backoff.newStrategy(),
                error -> {
                    throw new IllegalStateException("the bench's source failed", error);
                },
                null,
                agent);
        AgentRunner.startOnThread(runner);
    }

    /** Returns the time at which the first message was offered, ns. */
    long beginNs() {
        return agent.beginNs;
    }

    @Override
    public void close() {
        runner.close();
    }

    private static final class SourceAgent implements Agent {
        /** Offers between two duty cycles of the driver: two datagrams' worth, so that datagrams leave full. */
        private static final int BATCH = 32;

        private final EncodedFeed feed;
        private final RawTransport transport;
        private final ExclusivePublication publication;
        private final long perSecond;
        private int sent;
        private volatile long beginNs;

        SourceAgent(EncodedFeed feed, TopicChannels channels, RawTransport transport, long perSecond) {
            this.perSecond = perSecond;
            this.feed = feed;
            this.transport = transport;
            publication = transport
                    .client()
                    .addExclusivePublication(channels.uri(Topic.ORDER_BOOK_EVENTS), Topic.ORDER_BOOK_EVENTS.streamId());
        }

        @Override
        public int doWork() {
            int workCount = transport.doWork();
            if (publication.isConnected() && sent < feed.messages()) {
                if (sent == 0 && beginNs == 0) {
                    beginNs = System.nanoTime();
                }
                workCount += offerBatch();
            }
            return workCount;
        }

        @Override
        public void onClose() {
            CloseHelper.closeAll(publication, transport);
        }

        @Override
        public String roleName() {
            return "bench-source";
        }

        private int offerBatch() {
            int first = sent;
            int end = Math.min(Math.min(first + BATCH, feed.messages()), due());
            while (sent < end && isTaken(publication.offer(feed.bytes(), feed.offset(sent), feed.length(sent)))) {
                sent++;
            }
            return sent - first;
        }

        private int due() {
            return perSecond == 0
                    ? Integer.MAX_VALUE
                    : (int) Math.min(
                            Integer.MAX_VALUE, (System.nanoTime() - beginNs) * perSecond / Units.SECOND_NS + 1);
        }

        private static boolean isTaken(long result) {
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("the publication has ended in the middle of the feed");
            }
            return result > 0;
        }
    }
}
