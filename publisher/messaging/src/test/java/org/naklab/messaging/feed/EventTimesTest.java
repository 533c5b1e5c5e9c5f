package org.naklab.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class EventTimesTest {
    private static final int OFFSET = 3;
    private static final long DUE_NS = 86_400_000_000_007L;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();

    @ParameterizedTest
    @EnumSource(EventType.class)
    void shouldCarryTheTimesOfEachTypeOfEvent(EventType type) {
        encode(type);
        assertThat(EventTimes.dueNs(buffer, OFFSET)).isEqualTo(EventTimes.UNKNOWN);
        assertThat(EventTimes.sentNs(buffer, OFFSET)).isEqualTo(EventTimes.UNKNOWN);
        EventTimes.put(buffer, OFFSET, DUE_NS, DUE_NS + 150_000_000);

        assertThat(EventTimes.dueNs(buffer, OFFSET)).isEqualTo(DUE_NS);
        assertThat(EventTimes.sentNs(buffer, OFFSET)).isEqualTo(DUE_NS + 150_000_000);
        OrderEvent read = new OrderEvent();
        assertThat(codec.decode(buffer, OFFSET, read)).isTrue();
        assertThat(read).hasToString(event.toString());
    }

    @Test
    void shouldCarryDelaysUpToTheLongestAndNoneBeyond() {
        encode(EventType.ADD);
        EventTimes.put(buffer, OFFSET, DUE_NS, DUE_NS + EventTimes.MAX_SEND_DELAY_NS);
        assertThat(EventTimes.sentNs(buffer, OFFSET)).isEqualTo(DUE_NS + EventTimes.MAX_SEND_DELAY_NS);
        EventTimes.put(buffer, OFFSET, DUE_NS, DUE_NS + EventTimes.MAX_SEND_DELAY_NS + 1);
        assertThat(EventTimes.sentNs(buffer, OFFSET)).isEqualTo(EventTimes.UNKNOWN);
        assertThat(EventTimes.dueNs(buffer, OFFSET)).isEqualTo(DUE_NS);
        assertThat(EventTimes.MAX_SEND_DELAY_NS).isGreaterThan(TimeUnit.SECONDS.toNanos(4));
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void shouldLeaveTheTimesOutOfTheDigestAndNothingElse(EventType type) {
        int length = encode(type);
        long digest = digest(length);
        EventTimes.put(buffer, OFFSET, DUE_NS, DUE_NS + 1);
        assertThat(digest(length)).isEqualTo(digest);
        for (int i = 0; i < length - EventTimes.BYTES; i++) {
            int at = OFFSET + i;
            byte before = buffer.getByte(at);
            boolean decidesTheLayout = (i >= 2 && i < 4) || (i >= 6 && i < 8);
            if (!decidesTheLayout) {
                buffer.putByte(at, (byte) (before ^ 1));
                assertThat(digest(length)).as("byte %d", i).isNotEqualTo(digest);
                buffer.putByte(at, before);
            }
        }
    }

    @Test
    void shouldDigestWhatALaterVersionAppends() {
        int length = encode(EventType.ADD);
        buffer.putByte(OFFSET + length, (byte) 1);
        long digest = digest(length + 1);
        buffer.putByte(OFFSET + length, (byte) 2);
        assertThat(digest(length + 1)).isNotEqualTo(digest);
    }

    private int encode(EventType type) {
        boolean isStatus = type == EventType.HALT || type == EventType.RESUME;
        event.set(type, 7, 34_200_000_000_000L, isStatus ? 0 : 9, Side.BUY, isStatus ? 0 : 10_000, isStatus ? 0 : 5);
        event.sequence = 1;
        return codec.encode(event, buffer, OFFSET);
    }

    private long digest(int length) {
        FeedDigest digest = new FeedDigest();
        digest.update(buffer, OFFSET, length);
        return digest.value();
    }
}
