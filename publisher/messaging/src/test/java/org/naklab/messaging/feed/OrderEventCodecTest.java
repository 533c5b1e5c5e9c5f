package org.naklab.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.messaging.codec.HeartbeatEncoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;

@Timeout(60)
class OrderEventCodecTest {
    private final OrderEventCodec codec = new OrderEventCodec();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);

    @ParameterizedTest
    @EnumSource(EventType.class)
    void shouldReadWhatItWrote(EventType type) {
        boolean isStatus = type == EventType.HALT || type == EventType.RESUME;
        OrderEvent written = new OrderEvent()
                .set(
                        type,
                        7,
                        34_200_004_241_176L,
                        isStatus ? 0 : -3,
                        isStatus ? Side.BUY : Side.SELL,
                        isStatus ? 0 : 5_853_300,
                        isStatus ? 0 : Integer.MAX_VALUE);
        written.sequence = Long.MAX_VALUE;

        int length = codec.encode(written, buffer, 5);

        OrderEvent read = new OrderEvent();
        assertThat(codec.decode(buffer, 5, read)).isTrue();
        assertThat(read).hasToString(written.toString());
        assertThat(length).isLessThanOrEqualTo(OrderEventCodec.MAX_LENGTH);
    }

    @Test
    void shouldLeaveHeartbeatsAlone() {
        new HeartbeatEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .sequence(12);
        OrderEvent untouched = new OrderEvent();

        assertThat(codec.decode(buffer, 0, untouched)).isFalse();
        assertThat(untouched.sequence).isZero();
    }
}
