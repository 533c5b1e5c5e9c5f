package org.naklab.lab.core.timeline;

import org.jspecify.annotations.Nullable;

/** Reports what an instrument saw of a stream of Aeron. */
public sealed interface StreamEvent extends TimelineEvent {
    /** A stream of one publication. */
    record Stream(String channel, int streamId, int sessionId) {}

    /**
     * A receiver sent NAKs.
     *
     * @param total since the stream began
     * @param positionBytes up to which all has come in
     * @param gapBytes from there to the highest that has come in
     */
    record NakSent(long timeNs, String process, Stream stream, long naks, long total, long positionBytes, long gapBytes)
            implements StreamEvent {
        @Override
        public long amount() {
            return naks;
        }
    }

    /** A sender received NAKs; {@code total}: since the stream began. */
    record NakReceived(long timeNs, String process, Stream stream, long naks, long total) implements StreamEvent {
        @Override
        public long amount() {
            return naks;
        }
    }

    /** The driver of a sender sent retransmissions. */
    record RetransmitSent(long timeNs, String process, long retransmits) implements StreamEvent {
        @Override
        public long amount() {
            return retransmits;
        }
    }

    /**
     * A retransmission filled a gap.
     *
     * @param positionBytes up to which all has come in
     * @param seenBy how it was seen
     */
    record RetransmitReceived(long timeNs, String process, Stream stream, long positionBytes, String seenBy)
            implements StreamEvent {}

    /**
     * All that was missing has come in.
     *
     * @param interval from then on, as long as the repair took
     * @param firstNakNs when it was first asked for
     */
    record Repaired(Interval interval, String process, Stream stream, long firstNakNs) implements StreamEvent {}

    /**
     * Tells what was missing will not come in.
     *
     * @param gap null: gaps of streams of the driver that do not repair
     * @param gaps number of those gaps; null: one
     */
    record Unrepaired(
            long timeNs,
            String process,
            @Nullable Gap gap,
            @Nullable Long gaps,
            String reason) implements StreamEvent {}

    /** A gap of a stream; {@code firstNakNs}: when it was first asked for. */
    record Gap(String channel, int streamId, int sessionId, long firstNakNs) {}

    /** A client of a media driver was seen to poll a subscription. */
    record Polled(long timeNs, String process, Stream stream, long client) implements StreamEvent {}

    /**
     * Aeron's loss report has a new or grown entry.
     *
     * @param source address of the sender
     */
    record LossReported(long timeNs, String process, Stream stream, String source, long totalBytes, long observations)
            implements StreamEvent {}

    /** Datagrams that came in at a port of the feed in another order than they were sent. */
    sealed interface Disorder extends StreamEvent {
        int port();

        long datagrams();

        @Override
        default long amount() {
            return datagrams();
        }
    }

    /**
     * Datagrams with new data came in behind later ones.
     *
     * @param total since the driver began
     * @param longestDelayNs since the driver began
     */
    record Overtaken(
            long timeNs, String process, int port, int streamId, long datagrams, long total, long longestDelayNs)
            implements Disorder {}

    /** Datagrams came in of which all data had come in before. */
    record Repeated(long timeNs, String process, int port, int streamId, long datagrams, long total)
            implements Disorder {}

    /**
     * A client of a media driver did not poll a subscription although there was something.
     *
     * @param seenNs when it was seen to poll again
     */
    record Unpolled(
            Interval interval,
            String process,
            Stream stream,
            long seenNs,
            long peakBytes,
            Subscriber subscriber,
            boolean isLasting)
            implements StreamEvent, SocketEvent.Standstill {}

    /**
     * Tells who did not poll.
     *
     * @param subscriber registration id of the subscription
     * @param client id of the client
     * @param candidates number of processes that may contain the client
     * @param isLikeliest whether the process of the event is the likeliest of them
     */
    record Subscriber(long subscriber, long client, int candidates, boolean isLikeliest) {}
}
