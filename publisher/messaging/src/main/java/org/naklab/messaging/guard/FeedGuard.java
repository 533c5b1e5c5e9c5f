package org.naklab.messaging.guard;

import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_PAD;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_RTTM;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_SETUP;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lets through the datagrams of one stream, session, source and feed, and counts all others. Session and feed are those
 * announced; without an announcement those of the first datagram that could be the stream's. The source is that of the first
 * datagram of the session. Since one session is let through, Aeron makes one image, with a log of bounded length.
 *
 * <p>Nothing here is authenticated: whoever forges the source address, the session and the feed's id is let through.
 *
 * <p>Asked by the context's thread; the counts may be read by any thread.
 */
public final class FeedGuard {
    private final int streamId;
    private final int maxTermBytes;
    private final AtomicLong foreign = new AtomicLong();
    private final AtomicLong invalid = new AtomicLong();
    private boolean isSessionKnown;
    private int sessionId;
    private boolean isFeedKnown;
    private volatile long feedId;
    private @Nullable InetSocketAddress source;
    /** Of the first setup; 0 before it. */
    private int termBytes;

    private int initialTermId;

    /** For a stream of which nothing is known beforehand. */
    public FeedGuard(int streamId, int maxTermBytes) {
        this.streamId = streamId;
        this.maxTermBytes = maxTermBytes;
    }

    /** For a stream whose session and feed have been announced. */
    public FeedGuard(int streamId, int maxTermBytes, int sessionId, long feedId) {
        this(streamId, maxTermBytes);
        this.sessionId = sessionId;
        this.feedId = feedId;
        isSessionKnown = true;
        isFeedKnown = true;
    }

    int streamId() {
        return streamId;
    }

    /** Returns whether Aeron shall see the datagram; counts it when not. */
    boolean admits(UnsafeBuffer buffer, int length, InetSocketAddress from) {
        int type = Frames.soundType(buffer, length, maxTermBytes);
        if (type < 0) {
            increment(invalid);
            return false;
        }
        int session = sessionOf(buffer, type);
        if (streamOf(buffer, type) != streamId
                || (isSessionKnown && session != sessionId)
                || (source != null && !source.equals(from))) {
            increment(foreign);
            return false;
        }
        return switch (type) {
            case HDR_TYPE_SETUP -> admitsSetup(buffer, session, from);
            case HDR_TYPE_RTTM -> admitsMeasurement();
            default -> admitsData(buffer, length, session, from);
        };
    }

    /** Datagrams of another stream, session, source or feed. Any thread. */
    public long foreign() {
        return foreign.get();
    }

    /** Datagrams that no sender of the stream could have sent. Any thread. */
    public long invalid() {
        return invalid.get();
    }

    /** The feed's id, 0 until it is known. Any thread. */
    public long feedId() {
        return feedId;
    }

    private boolean admitsSetup(UnsafeBuffer buffer, int session, InetSocketAddress from) {
        int bytes = Frames.intAt(buffer, Frames.TERM_BYTES_IN_SETUP);
        int initial = Frames.intAt(buffer, Frames.INITIAL_TERM_ID_IN_SETUP);
        if (termBytes == 0) {
            termBytes = bytes;
            initialTermId = initial;
        } else if (bytes != termBytes || initial != initialTermId) {
            increment(invalid);
            return false;
        }
        return pin(session, from);
    }

    /** Nobody measures before the stream has begun. */
    private boolean admitsMeasurement() {
        if (source == null) {
            increment(foreign);
        }
        return source != null;
    }

    private boolean admitsData(UnsafeBuffer buffer, int length, int session, InetSocketAddress from) {
        if (termBytes != 0 && !liesInTerm(buffer, length)) {
            increment(invalid);
            return false;
        }
        if (!Frames.isHeartbeat(buffer, length) && !isOfFeed(buffer, length)) {
            increment(foreign);
            return false;
        }
        return pin(session, from);
    }

    private boolean liesInTerm(UnsafeBuffer buffer, int length) {
        return DataHeaderFlyweight.termId(buffer, 0) - initialTermId >= 0
                && DataHeaderFlyweight.termOffset(buffer, 0) + (Frames.isHeartbeat(buffer, length) ? 0 : length)
                        <= termBytes;
    }

    /** Padding is the transport's own and carries no feed's id. */
    private boolean isOfFeed(UnsafeBuffer buffer, int length) {
        int offset = 0;
        while (offset < length) {
            if (FrameDescriptor.frameType(buffer, offset) == HDR_TYPE_PAD) {
                return true;
            }
            long id = DataHeaderFlyweight.reservedValue(buffer, offset);
            if (!isFeedKnown) {
                feedId = id;
                isFeedKnown = true;
            }
            if (id != feedId) {
                return false;
            }
            offset += BitUtil.align(Frames.intAt(buffer, offset), FrameDescriptor.FRAME_ALIGNMENT);
        }
        return true;
    }

    private boolean pin(int session, InetSocketAddress from) {
        if (source == null) {
            sessionId = session;
            isSessionKnown = true;
            source = from;
        }
        return true;
    }

    private static int sessionOf(UnsafeBuffer buffer, int type) {
        return switch (type) {
            case HDR_TYPE_SETUP -> Frames.intAt(buffer, Frames.SESSION_ID_IN_SETUP);
            case HDR_TYPE_RTTM -> Frames.intAt(buffer, Frames.SESSION_ID_IN_RTT);
            default -> DataHeaderFlyweight.sessionId(buffer, 0);
        };
    }

    private static int streamOf(UnsafeBuffer buffer, int type) {
        return switch (type) {
            case HDR_TYPE_SETUP -> Frames.intAt(buffer, Frames.STREAM_ID_IN_SETUP);
            case HDR_TYPE_RTTM -> Frames.intAt(buffer, Frames.STREAM_ID_IN_RTT);
            default -> DataHeaderFlyweight.streamId(buffer, 0);
        };
    }

    private static void increment(AtomicLong count) {
        count.lazySet(count.getPlain() + 1);
    }
}
