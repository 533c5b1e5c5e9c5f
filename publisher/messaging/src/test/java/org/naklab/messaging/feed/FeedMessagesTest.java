package org.naklab.messaging.feed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.codec.AddOrderEncoder;
import org.naklab.messaging.codec.HeartbeatEncoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;

@Timeout(60)
class FeedMessagesTest {
    private static final long FEED_ID = 0x0123_4567_89ab_cdefL;
    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 4;
    private static final int VERSION = 6;
    private static final int SEQUENCE = 8;
    private static final int STATUS = 8 + 20;
    private static final int QUANTITY = 8 + 36;
    private static final int SIDE = 8 + 40;

    private final OrderEventCodec codec = new OrderEventCodec();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

    @Test
    void shouldKnowEachKind() {
        for (EventType type : EventType.values()) {
            assertThat(kind(event(type))).isEqualTo(MessageKind.EVENT);
        }
        assertThat(kind(heartbeat())).isEqualTo(MessageKind.HEARTBEAT);
        assertThat(FeedMessages.feedId(buffer, 0, MessageKind.HEARTBEAT)).isEqualTo(FEED_ID);
        assertThat(kind(trailer())).isEqualTo(MessageKind.TRAILER);
        assertThat(FeedMessages.feedId(buffer, 0, MessageKind.TRAILER)).isEqualTo(FEED_ID);
        assertThat(FeedMessages.trailerDigest(buffer, 0)).isEqualTo(0xffff_fffeL);
    }

    @Test
    void shouldRefuseEveryMessageShorterOrLongerThanItSays() {
        int[] lengths = {event(EventType.ADD), event(EventType.HALT), heartbeat(), trailer()};
        for (int message = 0; message < lengths.length; message++) {
            int whole = encode(message);
            for (int length = 0; length < whole; length++) {
                assertThat(kind(length)).as("%d of %d bytes", length, whole).isEqualTo(MessageKind.MALFORMED);
            }
            assertThat(kind(whole + 1)).isEqualTo(MessageKind.MALFORMED);
        }
    }

    @Test
    void shouldRefuseBlocksShorterThanTheirVersionHas() {
        for (int message = 0; message < 4; message++) {
            int length = encode(message);
            buffer.putShort(0, (short) (length - 8 - 1), LITTLE_ENDIAN);
            assertThat(kind(length - 1)).isEqualTo(MessageKind.MALFORMED);
        }
    }

    @Test
    void shouldRefuseUnknownEnumerationsAndImpossibleNumbers() {
        int length = event(EventType.ADD);
        buffer.putByte(SIDE, (byte) 'X');
        assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
        length = event(EventType.ADD);
        buffer.putInt(QUANTITY, -1, LITTLE_ENDIAN);
        assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
        length = event(EventType.ADD);
        buffer.putLong(SEQUENCE, 0);
        assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
        length = event(EventType.RESUME);
        buffer.putByte(STATUS, (byte) 0);
        assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
        length = trailer();
        buffer.putLong(SEQUENCE, -1);
        assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
    }

    @Test
    void shouldLeaveOtherSchemasAndTemplatesAlone() {
        int length = event(EventType.ADD);
        buffer.putShort(SCHEMA_ID, (short) 1, LITTLE_ENDIAN);
        assertThat(kind(length)).isEqualTo(MessageKind.OTHER);
        length = event(EventType.ADD);
        buffer.putShort(TEMPLATE_ID, (short) 99, LITTLE_ENDIAN);
        assertThat(kind(length)).isEqualTo(MessageKind.OTHER);
    }

    @Test
    void shouldReadTheVersionBeforeFeedIdsAndTheNextOne() {
        trailer();
        buffer.putShort(0, (short) 12, LITTLE_ENDIAN);
        buffer.putShort(VERSION, (short) 0, LITTLE_ENDIAN);
        assertThat(kind(8 + 12)).isEqualTo(MessageKind.TRAILER);
        assertThat(FeedMessages.feedId(buffer, 0, MessageKind.TRAILER)).isEqualTo(FeedId.UNKNOWN);
        event(EventType.ADD);
        buffer.putShort(0, (short) (AddOrderEncoder.BLOCK_LENGTH + 5), LITTLE_ENDIAN);
        buffer.putShort(VERSION, (short) 3, LITTLE_ENDIAN);
        assertThat(kind(OrderEventCodec.MAX_LENGTH + 5)).isEqualTo(MessageKind.EVENT);
    }

    @Test
    void shouldReadTheVersionBeforeTimes() {
        for (EventType type : EventType.values()) {
            int length = event(type) - EventTimes.BYTES;
            buffer.putShort(0, (short) (length - 8), LITTLE_ENDIAN);
            assertThat(kind(length)).isEqualTo(MessageKind.MALFORMED);
            buffer.putShort(VERSION, (short) 1, LITTLE_ENDIAN);
            assertThat(kind(length)).isEqualTo(MessageKind.EVENT);
            assertThat(EventTimes.dueNs(buffer, 0)).isEqualTo(EventTimes.UNKNOWN);
            assertThat(EventTimes.sentNs(buffer, 0)).isEqualTo(EventTimes.UNKNOWN);
        }
    }

    @Test
    void shouldReadNothingOutsideOfItsBuffer() {
        assertThat(FeedMessages.kind(buffer, -1, 8)).isEqualTo(MessageKind.MALFORMED);
        assertThat(FeedMessages.kind(buffer, buffer.capacity() - 8, 9)).isEqualTo(MessageKind.MALFORMED);
        assertThat(FeedMessages.kind(buffer, Integer.MAX_VALUE, 8)).isEqualTo(MessageKind.MALFORMED);
    }

    @Test
    void shouldOnlyLetThroughMutationsThatCanBeDecoded() {
        Random random = new Random(42);
        OrderEvent decoded = new OrderEvent();
        int sound = 0;
        for (int i = 0; i < 20_000; i++) {
            int length = encode(random.nextInt(4));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                buffer.putByte(random.nextInt(length), (byte) random.nextInt());
            }
            int cut = random.nextInt(4) == 0 ? random.nextInt(length + 8) : length;
            if (kind(cut) == MessageKind.EVENT) {
                sound++;
                assertThat(cut).isGreaterThanOrEqualTo(8 + 21);
                assertThat(codec.decode(buffer, 0, decoded)).isTrue();
                assertThat(decoded.sequence).isPositive();
            }
        }
        assertThat(sound).isPositive();
    }

    private MessageKind kind(int length) {
        return FeedMessages.kind(buffer, 0, length);
    }

    private int encode(int message) {
        return switch (message) {
            case 0 -> event(EventType.ADD);
            case 1 -> event(EventType.HALT);
            case 2 -> heartbeat();
            default -> trailer();
        };
    }

    private int event(EventType type) {
        OrderEvent event = new OrderEvent().set(type, 1, 2, 3, Side.SELL, 4, 5);
        event.sequence = 7;
        return codec.encode(event, buffer, 0);
    }

    private int heartbeat() {
        return MessageHeaderEncoder.ENCODED_LENGTH
                + new HeartbeatEncoder()
                        .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                        .sequence(0)
                        .feedId(FEED_ID)
                        .encodedLength();
    }

    private int trailer() {
        return MessageHeaderEncoder.ENCODED_LENGTH
                + new TrailerEncoder()
                        .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                        .lastSequence(9)
                        .digest(0xffff_fffeL)
                        .feedId(FEED_ID)
                        .encodedLength();
    }
}
