package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.CancelPartDecoder;
import org.naklab.messaging.codec.DeleteOrderDecoder;
import org.naklab.messaging.codec.ExecuteOrderDecoder;
import org.naklab.messaging.codec.HeartbeatDecoder;
import org.naklab.messaging.codec.HiddenTradeDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.messaging.codec.TradingStatusDecoder;
import org.naklab.messaging.codec.TrailerDecoder;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.publication.DatagramSink;

/** The offsets drawn in PROTOCOL.md; a journal that was written yesterday depends on them. */
@Timeout(60)
class WireLayoutTest {
    @Test
    void shouldKeepTheHeader() {
        assertThat(MessageHeaderDecoder.SCHEMA_ID).isEqualTo(2016);
        assertThat(MessageHeaderDecoder.SCHEMA_VERSION).isEqualTo(2);
        assertThat(MessageHeaderDecoder.ENCODED_LENGTH).isEqualTo(8);
    }

    @Test
    void shouldKeepOneLayoutForOrderEvents() {
        assertThat(AddOrderDecoder.exchangeTimestampNsEncodingOffset()).isEqualTo(8);
        assertThat(AddOrderDecoder.orderIdEncodingOffset()).isEqualTo(16);
        assertThat(AddOrderDecoder.priceEncodingOffset()).isEqualTo(24);
        assertThat(AddOrderDecoder.instrumentIdEncodingOffset()).isEqualTo(32);
        assertThat(AddOrderDecoder.quantityEncodingOffset()).isEqualTo(36);
        assertThat(AddOrderDecoder.sideEncodingOffset()).isEqualTo(40);
        assertThat(AddOrderDecoder.dueNsEncodingOffset()).isEqualTo(41);
        assertThat(AddOrderDecoder.sendDelayNsEncodingOffset()).isEqualTo(49);
        assertThat(new int[] {
                    AddOrderDecoder.BLOCK_LENGTH,
                    CancelPartDecoder.BLOCK_LENGTH,
                    DeleteOrderDecoder.BLOCK_LENGTH,
                    ExecuteOrderDecoder.BLOCK_LENGTH,
                    HiddenTradeDecoder.BLOCK_LENGTH
                })
                .containsOnly(53);
    }

    @Test
    void shouldKeepTheOtherLayouts() {
        assertThat(TradingStatusDecoder.instrumentIdEncodingOffset()).isEqualTo(16);
        assertThat(TradingStatusDecoder.statusEncodingOffset()).isEqualTo(20);
        assertThat(TradingStatusDecoder.dueNsEncodingOffset()).isEqualTo(21);
        assertThat(TradingStatusDecoder.sendDelayNsEncodingOffset()).isEqualTo(29);
        assertThat(TradingStatusDecoder.BLOCK_LENGTH).isEqualTo(33);
        assertThat(HeartbeatDecoder.feedIdEncodingOffset()).isEqualTo(8);
        assertThat(HeartbeatDecoder.BLOCK_LENGTH).isEqualTo(16);
        assertThat(TrailerDecoder.digestEncodingOffset()).isEqualTo(8);
        assertThat(TrailerDecoder.feedIdEncodingOffset()).isEqualTo(12);
        assertThat(TrailerDecoder.BLOCK_LENGTH).isEqualTo(20);
        assertThat(OrderBookSnapshotDecoder.secondNsEncodingOffset()).isEqualTo(8);
        assertThat(OrderBookSnapshotDecoder.instrumentIdEncodingOffset()).isEqualTo(16);
        assertThat(OrderBookSnapshotDecoder.indexEncodingOffset()).isEqualTo(20);
        assertThat(OrderBookSnapshotDecoder.seriesLengthEncodingOffset()).isEqualTo(24);
        assertThat(OrderBookSnapshotDecoder.BLOCK_LENGTH).isEqualTo(28);
        assertThat(OrderBookSnapshotDecoder.BidsDecoder.sbeBlockLength()).isEqualTo(20);
        assertThat(OrderBookSnapshotDecoder.AsksDecoder.sbeBlockLength()).isEqualTo(20);
    }

    @Test
    void shouldCountWhatAMessageTakesOnTheWire() {
        assertThat(DatagramSink.wireBytes(OrderEventCodec.MAX_LENGTH)).isEqualTo(96);
        assertThat(DatagramSink.wireBytes(8 + TradingStatusDecoder.BLOCK_LENGTH))
                .isEqualTo(96);
        assertThat(DatagramSink.wireBytes(8 + HeartbeatDecoder.BLOCK_LENGTH)).isEqualTo(64);
        assertThat(DatagramSink.wireBytes(8 + TrailerDecoder.BLOCK_LENGTH)).isEqualTo(64);
    }
}
