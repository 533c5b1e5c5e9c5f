package org.naklab.exchange;

import io.aeron.protocol.DataHeaderFlyweight;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.pacing.TokenBucket;
import org.naklab.messaging.codec.HeartbeatEncoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;

/**
 * Numbers, encodes and offers the messages of one feed, each in an offer of its own. A message that is refused stays
 * encoded and is offered again; its number counts as used only once the transport has taken it.
 *
 * <p>Driven by the feed thread; the counts may be read by any thread.
 */
final class FeedSender {
    static final int MAX_LENGTH =
            Math.max(OrderEventCodec.MAX_LENGTH, MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH);

    private final ContextPublication publication;
    private final @Nullable TokenBucket tokenBucket;
    private final long feedId;
    private final FeedDigest digest = new FeedDigest();
    private final OrderEventCodec codec = new OrderEventCodec();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final TrailerEncoder trailer = new TrailerEncoder();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final UnsafeBuffer control = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong publishedDigest = new AtomicLong();
    private final AtomicLong heldBack = new AtomicLong();
    private final AtomicLong backPressured = new AtomicLong();
    private final AtomicLong notConnected = new AtomicLong();
    private int messageLength;
    private boolean isBlocked;
    private long wakeUpsWhenBlocked;

    FeedSender(ContextPublication publication, @Nullable TokenBucket tokenBucket, long feedId) {
        this.publication = publication;
        this.tokenBucket = tokenBucket;
        this.feedId = feedId;
    }

    /** Encodes the event under the next number. */
    void prepare(OrderEvent event) {
        event.sequence = published.get() + 1;
        messageLength = codec.encode(event, message, 0);
    }

    /**
     * Offers what was prepared, with its times.
     *
     * @param dueNs when it was due
     * @param nowNs the present time, which is that of sending if the transport takes it
     * @return whether the transport has taken it
     */
    boolean sendPrepared(long dueNs, long nowNs) {
        EventTimes.put(message, 0, dueNs, nowNs);
        if (!offer(message, messageLength, nowNs)) {
            return false;
        }
        digest.update(message, 0, messageLength);
        publishedDigest.setRelease(digest.value());
        published.setRelease(published.getPlain() + 1);
        return true;
    }

    boolean sendHeartbeat(long nowNs) {
        heartbeat
                .wrapAndApplyHeader(control, 0, header)
                .sequence(published.getPlain())
                .feedId(feedId);
        return offer(control, MessageHeaderEncoder.ENCODED_LENGTH + HeartbeatEncoder.BLOCK_LENGTH, nowNs);
    }

    boolean sendTrailer(long nowNs) {
        trailer.wrapAndApplyHeader(control, 0, header)
                .lastSequence(published.getPlain())
                .digest(digest.value())
                .feedId(feedId);
        return offer(control, MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH, nowNs);
    }

    long published() {
        return published.getAcquire();
    }

    long digest() {
        return publishedDigest.getAcquire();
    }

    SendCounts counts() {
        return new SendCounts(publication.blockedSends(), heldBack.get(), backPressured.get(), notConnected.get());
    }

    private boolean offer(UnsafeBuffer buffer, int length, long nowNs) {
        if (isBlocked && publication.wakeUps() == wakeUpsWhenBlocked) {
            return false;
        }
        int wireBytes = wireBytes(length);
        if (tokenBucket != null && !tokenBucket.has(wireBytes, nowNs)) {
            heldBack.setRelease(heldBack.getPlain() + 1);
            return false;
        }
        wakeUpsWhenBlocked = publication.wakeUps();
        SendResult result = publication.offer(buffer, 0, length);
        if (result.accepted() && tokenBucket != null) {
            tokenBucket.take(wireBytes);
        }
        return isAccepted(result);
    }

    /** A blocked sender waits for the wake-up; the other refusals are tried again in the next duty cycle. */
    private boolean isAccepted(SendResult result) {
        isBlocked = result == SendResult.BLOCKED;
        switch (result) {
            case SENT, QUEUED -> {
                return true;
            }
            case BLOCKED -> {}
            case BACK_PRESSURED -> backPressured.setRelease(backPressured.getPlain() + 1);
            case NOT_CONNECTED -> notConnected.setRelease(notConnected.getPlain() + 1);
            case CLOSED -> throw new IllegalStateException("the feed's publication has been closed");
        }
        return false;
    }

    /** As the transport's rate controller counts: Aeron's header, and padding to a multiple of it. */
    static int wireBytes(int length) {
        return BitUtil.align(length + DataHeaderFlyweight.HEADER_LENGTH, DataHeaderFlyweight.HEADER_LENGTH);
    }
}
