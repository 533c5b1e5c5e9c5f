package org.naklab.lab.tools.pipeline;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

/** A whole feed as it is on the wire, encoded beforehand: every candidate moves the same bytes. The trailer is its last message. */
public final class EncodedFeed {
    private final UnsafeBuffer bytes;
    private final int[] offsets;

    private EncodedFeed(UnsafeBuffer bytes, int[] offsets) {
        this.bytes = bytes;
        this.offsets = offsets;
    }

    /** Encodes a synthetic flow. */
    public static EncodedFeed synthetic(long seed, int instruments, int events) {
        ExpandableArrayBuffer growing = new ExpandableArrayBuffer((events + 1) * OrderEventCodec.MAX_LENGTH);
        int[] offsets = new int[events + 2];
        OrderEventCodec codec = new OrderEventCodec();
        OrderEvent event = new OrderEvent();
        FeedDigest digest = new FeedDigest();
        try (SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(seed, instruments).withEvents(events))) {
            for (int i = 0; i < events; i++) {
                flow.next(event);
                event.sequence = i + 1L;
                int length = codec.encode(event, growing, offsets[i]);
                digest.update(growing, offsets[i], length);
                offsets[i + 1] = offsets[i] + length;
            }
        }
        new TrailerEncoder()
                .wrapAndApplyHeader(growing, offsets[events], new MessageHeaderEncoder())
                .lastSequence(events)
                .digest(digest.value())
                .feedId(FeedId.UNKNOWN);
        offsets[events + 1] = offsets[events] + MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH;
        return new EncodedFeed(new UnsafeBuffer(growing.byteArray(), 0, offsets[events + 1]), offsets);
    }

    /** Returns all messages, one behind the other. */
    public UnsafeBuffer bytes() {
        return bytes;
    }

    /** Returns the number of sequenced events, without the trailer. */
    public int events() {
        return messages() - 1;
    }

    int messages() {
        return offsets.length - 1;
    }

    /** Returns where a message begins. */
    public int offset(int message) {
        return offsets[message];
    }

    /** Returns the bytes of a message. */
    public int length(int message) {
        return offsets[message + 1] - offsets[message];
    }
}
