package org.naklab.exchange.itch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** One message as tshark decoded it; absent fields are empty. */
record TsharkMessage(List<String> fields) {
    /** Names as in itch50.lua. */
    static final List<String> FIELDS =
            List.of("code", "locate", "timestamp", "order", "new_order", "side", "shares", "stock", "price", "state");

    String code() {
        return field("code");
    }

    /** Compares with as many events as the message stands for. */
    void requireMatches(Iterator<OrderEvent> read) {
        if (code().equals("R")) {
            assertThat(field("stock").strip()).isEqualTo("SYN" + field("locate"));
            return;
        }
        OrderEvent event = read.next();
        String what = String.join(" ", fields) + " read as " + event;
        assertThat(event.type).as(what).isEqualTo(type());
        requireField(what, "order", event.orderId);
        requireField(what, "locate", event.instrumentId);
        requireField(what, "timestamp", event.exchangeTimestampNs);
        OrderEvent last = event;
        if (code().equals("U")) {
            last = read.next();
            assertThat(last.type).as(what).isEqualTo(EventType.ADD);
            requireField(what, "new_order", last.orderId);
        }
        requireField(what, "shares", last.quantity);
        requireField(what, "price", last.price);
        if (!field("side").isEmpty()) {
            assertThat(last.side).as(what).isEqualTo(field("side").equals("B") ? Side.BUY : Side.SELL);
        }
        if (!field("stock").isEmpty()) {
            assertThat(field("stock").strip()).as(what).isEqualTo(ItchFromEvents.stock(event.instrumentId));
        }
    }

    private EventType type() {
        return switch (code()) {
            case "A", "F" -> EventType.ADD;
            case "E", "C" -> EventType.EXECUTE;
            case "X" -> EventType.CANCEL_PART;
            case "D", "U" -> EventType.DELETE;
            case "P" -> EventType.HIDDEN_TRADE;
            case "H" -> field("state").equals("H") ? EventType.HALT : EventType.RESUME;
            default -> throw new AssertionError("unexpected message type " + code());
        };
    }

    private void requireField(String what, String name, long expected) {
        if (!field(name).isEmpty()) {
            assertThat(Long.parseLong(field(name))).as(what + ": " + name).isEqualTo(expected);
        }
    }

    private String field(String name) {
        return fields.get(FIELDS.indexOf(name));
    }
}
