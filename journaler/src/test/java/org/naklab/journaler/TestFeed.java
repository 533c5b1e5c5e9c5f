package org.naklab.journaler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.codec.HeartbeatEncoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.feed.Side;

/** A feed of seeded order events, as messages and as a journal. */
public final class TestFeed {
    /** 2012-06-21T13:30:00Z. */
    public static final long START_NS = 1_340_285_400_000_000_000L;

    private final OrderEventCodec codec = new OrderEventCodec();

    /** One message in a buffer of its own, from index 0 on. */
    public record Message(UnsafeBuffer buffer, int length) {
        Message withByteFlipped(int index) {
            byte[] bytes = new byte[length];
            buffer.getBytes(0, bytes);
            bytes[index] ^= 0x40;
            return new Message(new UnsafeBuffer(bytes), length);
        }
    }

    /** Events with sequences 1 to count: orders that come, trade, shrink and leave, on three instruments. */
    public static List<OrderEvent> events(long seed, int count) {
        Random random = new Random(seed);
        List<OrderEvent> events = new ArrayList<>();
        List<OrderEvent> resting = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            OrderEvent event = new OrderEvent();
            int kind = random.nextInt(20);
            if (resting.isEmpty() || kind < 10) {
                Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
                long price = 5_850_000 + (side == Side.BUY ? -1 : 1) * 100L * (1 + random.nextInt(20));
                event.set(
                        EventType.ADD, 1 + random.nextInt(3), i * 1000L, i, side, price, 100 * (1 + random.nextInt(9)));
                resting.add(new OrderEvent().copyFrom(event));
            } else if (kind < 18) {
                OrderEvent order = resting.get(random.nextInt(resting.size()));
                reduce(event, order, kind, i);
                order.quantity -= event.quantity;
                resting.removeIf(rested -> rested.quantity == 0);
            } else if (kind == 18) {
                event.set(EventType.HIDDEN_TRADE, 1, i * 1000L, 0, Side.SELL, 5_850_050, 10);
            } else {
                event.set(random.nextBoolean() ? EventType.HALT : EventType.RESUME, 1, i * 1000L, 0, Side.BUY, 0, 0);
            }
            event.sequence = i;
            events.add(event);
        }
        return events;
    }

    private static void reduce(OrderEvent event, OrderEvent order, int kind, int index) {
        EventType type = kind < 13 ? EventType.DELETE : kind < 16 ? EventType.EXECUTE : EventType.CANCEL_PART;
        int quantity = type == EventType.DELETE ? order.quantity : Math.max(1, order.quantity / 2);
        event.set(type, order.instrumentId, index * 1000L, order.orderId, order.side, order.price, quantity);
    }

    Message message(OrderEvent event) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[OrderEventCodec.MAX_LENGTH]);
        return new Message(buffer, codec.encode(event, buffer, 0));
    }

    public List<Message> messages(long seed, int count) {
        return events(seed, count).stream().map(this::message).toList();
    }

    public static Message trailer(List<Message> messages) {
        FeedDigest digest = new FeedDigest();
        messages.forEach(message -> digest.update(message.buffer(), 0, message.length()));
        return trailer(messages.size(), digest.value());
    }

    public static Message trailer(long lastSequence, long digest) {
        UnsafeBuffer buffer =
                new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + TrailerEncoder.BLOCK_LENGTH]);
        new TrailerEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .lastSequence(lastSequence)
                .digest(digest)
                .feedId(0);
        return new Message(buffer, buffer.capacity());
    }

    static Message heartbeat(long sequence) {
        UnsafeBuffer buffer =
                new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + HeartbeatEncoder.BLOCK_LENGTH]);
        new HeartbeatEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .sequence(sequence)
                .feedId(0);
        return new Message(buffer, buffer.capacity());
    }

    static Journal.Context context(Path directory) {
        return new Journal.Context()
                .directory(directory)
                .blockSizeBytes(256 << 10)
                .forceOnClose(false)
                .epochNanoClock(() -> START_NS);
    }

    public static Journal create(Path directory) {
        return Journal.create(context(directory));
    }

    /** Appends as a service does: with every check. */
    public static void append(Journal journal, Message message, long receiveTimestampNs) {
        journal.append(receiveTimestampNs, message.buffer(), 0, message.length());
    }

    /** Writes any series of messages, broken or not, one microsecond apart. */
    public static void writeUnchecked(Path directory, List<Message> messages) {
        try (Journal journal = create(directory)) {
            for (int i = 0; i < messages.size(); i++) {
                journal.appendUnchecked(
                        START_NS + 1000L * i,
                        messages.get(i).buffer(),
                        0,
                        messages.get(i).length());
            }
        }
    }

    /** Writes a whole feed with its trailer. */
    public static List<Message> writeWhole(Path directory, long seed, int count) {
        return writeWhole(context(directory), seed, count);
    }

    public static List<Message> writeWhole(Journal.Context context, long seed, int count) {
        List<Message> messages = new TestFeed().messages(seed, count);
        try (Journal journal = Journal.create(context)) {
            for (int i = 0; i < count; i++) {
                append(journal, messages.get(i), START_NS + 1000L * i);
            }
            append(journal, trailer(messages), START_NS + 1000L * count);
        }
        return messages;
    }
}
