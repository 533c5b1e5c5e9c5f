package org.naklab.messaging.feed;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.AddOrderEncoder;
import org.naklab.messaging.codec.CancelPartDecoder;
import org.naklab.messaging.codec.DeleteOrderDecoder;
import org.naklab.messaging.codec.ExecuteOrderDecoder;
import org.naklab.messaging.codec.HiddenTradeDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.SideCode;
import org.naklab.messaging.codec.StatusCode;
import org.naklab.messaging.codec.TradingStatusDecoder;
import org.naklab.messaging.codec.TradingStatusEncoder;

/**
 * Writes and reads the sequenced messages of {@code OrderBookEvents}, header included. Not thread-safe; allocates nothing
 * after construction.
 *
 * <p>The five order events share one layout (see PROTOCOL.md), so one pair of flyweights serves them all and only the
 * template id differs.
 */
public final class OrderEventCodec {
    /** Bytes of the longest sequenced message with its header. */
    public static final int MAX_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + AddOrderEncoder.BLOCK_LENGTH;

    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final AddOrderEncoder orderEncoder = new AddOrderEncoder();
    private final AddOrderDecoder orderDecoder = new AddOrderDecoder();
    private final TradingStatusEncoder statusEncoder = new TradingStatusEncoder();
    private final TradingStatusDecoder statusDecoder = new TradingStatusDecoder();

    /**
     * Writes one event whose times are not known; {@link EventTimes#put} fills them in.
     *
     * @return the bytes written, header included
     */
    public int encode(OrderEvent event, MutableDirectBuffer buffer, int offset) {
        return switch (event.type) {
            case ADD -> encodeOrder(event, AddOrderDecoder.TEMPLATE_ID, buffer, offset);
            case CANCEL_PART -> encodeOrder(event, CancelPartDecoder.TEMPLATE_ID, buffer, offset);
            case DELETE -> encodeOrder(event, DeleteOrderDecoder.TEMPLATE_ID, buffer, offset);
            case EXECUTE -> encodeOrder(event, ExecuteOrderDecoder.TEMPLATE_ID, buffer, offset);
            case HIDDEN_TRADE -> encodeOrder(event, HiddenTradeDecoder.TEMPLATE_ID, buffer, offset);
            case HALT -> encodeStatus(event, StatusCode.HALTED, buffer, offset);
            case RESUME -> encodeStatus(event, StatusCode.TRADING, buffer, offset);
        };
    }

    /**
     * Reads one message.
     *
     * @return whether it was a sequenced event; {@code false} leaves {@code event} untouched (heartbeat, trailer, another
     *     schema or a template of a later version)
     */
    public boolean decode(DirectBuffer buffer, int offset, OrderEvent event) {
        headerDecoder.wrap(buffer, offset);
        if (headerDecoder.schemaId() != MessageHeaderDecoder.SCHEMA_ID) {
            return false;
        }
        switch (headerDecoder.templateId()) {
            case AddOrderDecoder.TEMPLATE_ID -> decodeOrder(EventType.ADD, buffer, offset, event);
            case CancelPartDecoder.TEMPLATE_ID -> decodeOrder(EventType.CANCEL_PART, buffer, offset, event);
            case DeleteOrderDecoder.TEMPLATE_ID -> decodeOrder(EventType.DELETE, buffer, offset, event);
            case ExecuteOrderDecoder.TEMPLATE_ID -> decodeOrder(EventType.EXECUTE, buffer, offset, event);
            case HiddenTradeDecoder.TEMPLATE_ID -> decodeOrder(EventType.HIDDEN_TRADE, buffer, offset, event);
            case TradingStatusDecoder.TEMPLATE_ID -> decodeStatus(buffer, offset, event);
            default -> {
                return false;
            }
        }
        return true;
    }

    private int encodeOrder(OrderEvent event, int templateId, MutableDirectBuffer buffer, int offset) {
        orderEncoder.wrapAndApplyHeader(buffer, offset, headerEncoder);
        headerEncoder.templateId(templateId);
        orderEncoder
                .sequence(event.sequence)
                .exchangeTimestampNs(event.exchangeTimestampNs)
                .orderId(event.orderId)
                .price(event.price)
                .instrumentId(event.instrumentId)
                .quantity(event.quantity)
                .side(event.side == Side.BUY ? SideCode.BUY : SideCode.SELL)
                .dueNs(AddOrderEncoder.dueNsNullValue())
                .sendDelayNs(AddOrderEncoder.sendDelayNsNullValue());
        return MAX_LENGTH;
    }

    private int encodeStatus(OrderEvent event, StatusCode status, MutableDirectBuffer buffer, int offset) {
        statusEncoder
                .wrapAndApplyHeader(buffer, offset, headerEncoder)
                .sequence(event.sequence)
                .exchangeTimestampNs(event.exchangeTimestampNs)
                .instrumentId(event.instrumentId)
                .status(status)
                .dueNs(TradingStatusEncoder.dueNsNullValue())
                .sendDelayNs(TradingStatusEncoder.sendDelayNsNullValue());
        return MessageHeaderEncoder.ENCODED_LENGTH + TradingStatusEncoder.BLOCK_LENGTH;
    }

    private void decodeOrder(EventType type, DirectBuffer buffer, int offset, OrderEvent event) {
        orderDecoder.wrap(
                buffer,
                offset + MessageHeaderDecoder.ENCODED_LENGTH,
                headerDecoder.blockLength(),
                headerDecoder.version());
        event.type = type;
        event.sequence = orderDecoder.sequence();
        event.exchangeTimestampNs = orderDecoder.exchangeTimestampNs();
        event.orderId = orderDecoder.orderId();
        event.price = orderDecoder.price();
        event.instrumentId = orderDecoder.instrumentId();
        event.quantity = orderDecoder.quantity();
        event.side = orderDecoder.side() == SideCode.BUY ? Side.BUY : Side.SELL;
    }

    private void decodeStatus(DirectBuffer buffer, int offset, OrderEvent event) {
        statusDecoder.wrap(
                buffer,
                offset + MessageHeaderDecoder.ENCODED_LENGTH,
                headerDecoder.blockLength(),
                headerDecoder.version());
        EventType type = statusDecoder.status() == StatusCode.HALTED ? EventType.HALT : EventType.RESUME;
        event.sequence = statusDecoder.sequence();
        event.set(type, statusDecoder.instrumentId(), statusDecoder.exchangeTimestampNs(), 0, Side.BUY, 0, 0);
    }
}
