package org.naklab.messaging.guard;

import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_DATA;
import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_PAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.protocol.DataHeaderFlyweight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ArrivalOrderTest {
    private static final int TERM_BYTES = 64 << 10;
    private static final int INITIAL_TERM_ID = Integer.MAX_VALUE;
    private static final int FRAME_BYTES = 64;
    private static final int IN_TERM = TERM_BYTES / FRAME_BYTES;

    private long nowNs;
    private final ArrivalOrder order = new ArrivalOrder(() -> nowNs);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * FRAME_BYTES]);

    @Test
    void shouldCountNothingInOrderAcrossTerms() {
        begin();
        for (int i = 0; i < 3 * IN_TERM; i++) {
            receive(i);
        }
        expect(0, 0);
    }

    @Test
    void shouldTellWhatWasOvertakenFromWhatCameTwice() {
        begin();
        receive(0, 1, 3, 4, 2, 2, 0, 4);
        expect(1, 3);
    }

    @Test
    void shouldMeasureHowLateTheLatestWas() {
        begin();
        receive(0);
        nowNs = 1_000;
        receive(2);
        nowNs = 4_500;
        receive(1);
        nowNs = 5_000;
        receive(4);
        nowNs = 5_100;
        receive(3);
        assertThat(order.longestDelayNs()).isEqualTo(3_500);
    }

    /** The begin of what counts is known when the first event has been applied, which may be after the first repairs. */
    @Test
    void shouldCountNoRepairOfTheWarmUp() {
        begin();
        nowNs = 1_000;
        receive(0, 2);
        receive(1);
        receive(4);
        order.countRepairsFrom(2_000);
        nowNs = 1_500;
        receive(6);
        nowNs = 2_000;
        receive(8);
        nowNs = 2_700;
        receive(3, 5, 7);

        expect(4, 0);
        assertThat(order.repairs().count()).isEqualTo(1);
        assertThat(order.repairs().maxNs()).isEqualTo(700);
    }

    @Test
    void shouldFillAGapFromBothEndsAndFromWithin() {
        begin();
        receive(0, 9, 8, 1, 5, 4, 6, 2, 3, 7, 5);
        expect(8, 1);
    }

    @Test
    void shouldFollowAGapAcrossTheEndOfATerm() {
        begin();
        receive(IN_TERM - 3);
        receive(IN_TERM + 2);
        receive(IN_TERM - 1, IN_TERM, IN_TERM + 1, IN_TERM - 2, IN_TERM);
        expect(4, 1);
    }

    @Test
    void shouldCountPaddingWithItsWholeLength() {
        begin();
        receive(IN_TERM - 5);
        frame(0, IN_TERM - 4, 4 * FRAME_BYTES, HDR_TYPE_PAD);
        order.onData(buffer, DataHeaderFlyweight.HEADER_LENGTH);
        receive(IN_TERM, IN_TERM - 1);
        expect(0, 1);
    }

    @Test
    void shouldCountADatagramOfTwoFramesOnce() {
        begin();
        receive(0, 3);
        frame(0, 1, FRAME_BYTES, HDR_TYPE_DATA);
        frame(FRAME_BYTES, 2, FRAME_BYTES, HDR_TYPE_DATA);
        order.onData(buffer, 2 * FRAME_BYTES);
        order.onData(buffer, 2 * FRAME_BYTES);
        expect(1, 1);
    }

    @Test
    void shouldJudgeNothingFromBeforeItsTime() {
        receive(0);
        begin();
        receive(100, 50, 101);
        frame(0, 102, 0, HDR_TYPE_DATA);
        order.onData(buffer, DataHeaderFlyweight.HEADER_LENGTH);
        expect(0, 0);
    }

    @Test
    void shouldForgetTheOldestOfTooManyGaps() {
        begin();
        for (int i = 0; i <= ArrivalOrder.MAX_GAPS + 1; i++) {
            receive(2 * i);
        }
        receive(1);
        expect(0, 0);
        receive(3);
        expect(1, 0);
    }

    @Test
    void shouldCountEveryOrderRight() {
        long seed = 7;
        List<Integer> shuffled = new ArrayList<>();
        for (int i = 1; i < 500; i++) {
            shuffled.add(i);
        }
        Collections.shuffle(shuffled, new Random(seed));
        begin();
        receive(0);
        int highest = 0;
        int overtaken = 0;
        for (int i : shuffled) {
            receive(i);
            overtaken += i < highest ? 1 : 0;
            highest = Math.max(highest, i);
        }
        expect(overtaken, 0);
        shuffled.forEach(this::receive);
        expect(overtaken, 499);
    }

    private void begin() {
        order.onSetup(TERM_BYTES, INITIAL_TERM_ID);
    }

    private void receive(int... frames) {
        for (int frame : frames) {
            frame(0, frame, FRAME_BYTES, HDR_TYPE_DATA);
            order.onData(buffer, FRAME_BYTES);
        }
    }

    private void frame(int offset, int number, int lengthBytes, int type) {
        buffer.putInt(offset, lengthBytes);
        buffer.putShort(offset + DataHeaderFlyweight.TYPE_FIELD_OFFSET, (short) type);
        buffer.putInt(offset + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET, INITIAL_TERM_ID + number / IN_TERM);
        buffer.putInt(offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, number % IN_TERM * FRAME_BYTES);
    }

    private void expect(long overtaken, long repeated) {
        assertThat(order.overtaken()).as("overtaken").isEqualTo(overtaken);
        assertThat(order.repeated()).as("repeated").isEqualTo(repeated);
    }
}
