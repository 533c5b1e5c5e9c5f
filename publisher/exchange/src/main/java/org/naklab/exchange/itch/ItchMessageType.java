package org.naklab.exchange.itch;

import org.jspecify.annotations.Nullable;

/** The messages of NASDAQ TotalView-ITCH 5.0, each with its code (first byte) and its length in bytes, code included. */
enum ItchMessageType {
    SYSTEM_EVENT('S', 12),
    STOCK_DIRECTORY('R', 39),
    STOCK_TRADING_ACTION('H', 25),
    REG_SHO_RESTRICTION('Y', 20),
    MARKET_PARTICIPANT_POSITION('L', 26),
    MWCB_DECLINE_LEVEL('V', 35),
    MWCB_STATUS('W', 12),
    IPO_QUOTING_PERIOD('K', 28),
    LULD_AUCTION_COLLAR('J', 35),
    OPERATIONAL_HALT('h', 21),
    ADD_ORDER('A', 36),
    ADD_ORDER_ATTRIBUTED('F', 40),
    ORDER_EXECUTED('E', 31),
    ORDER_EXECUTED_WITH_PRICE('C', 36),
    ORDER_CANCEL('X', 23),
    ORDER_DELETE('D', 19),
    ORDER_REPLACE('U', 35),
    TRADE('P', 44),
    CROSS_TRADE('Q', 40),
    BROKEN_TRADE('B', 19),
    NET_ORDER_IMBALANCE('I', 50),
    RETAIL_PRICE_IMPROVEMENT('N', 20),
    DIRECT_LISTING_PRICE_DISCOVERY('O', 48);

    private static final @Nullable ItchMessageType[] BY_CODE = new ItchMessageType[128];

    static {
        for (ItchMessageType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final char code;
    private final int length;

    ItchMessageType(char code, int length) {
        this.code = code;
        this.length = length;
    }

    /** The type with the given first byte, or null when the specification has none. */
    static @Nullable ItchMessageType of(byte code) {
        return code < 0 ? null : BY_CODE[code];
    }

    char code() {
        return code;
    }

    int length() {
        return length;
    }
}
