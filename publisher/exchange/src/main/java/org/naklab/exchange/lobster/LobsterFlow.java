package org.naklab.exchange.lobster;

import java.nio.file.Path;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/**
 * A LOBSTER message file ("data structure" page of lobsterdata.com): one event a row, in the columns time, type, order id,
 * size, price, direction. One event comes out for each row, so that row k here belongs to row k of the order book file.
 *
 * <p>Type 1 adds, 2 cancels in part, 3 deletes, 4 executes; 5 (hidden order) and 6 (cross) are {@link
 * EventType#HIDDEN_TRADE}; 7 is a halt at price -1 and a resumption at 0 (quoting) and 1 (trading). Sizes are positive, but
 * for a cross, which may find no shares, and for type 7, which has none.
 */
public final class LobsterFlow implements OrderFlow {
    /** The instrument of files that do not name one. */
    private static final int DEFAULT_INSTRUMENT_ID = 1;

    private static final int COLUMNS = 6;
    private static final int NO_ORDER = -1;

    private final LobsterFile file;
    private final int instrumentId;
    private @Nullable LobsterCells cells;
    private long lastTimeNs;

    private LobsterFlow(LobsterFile file, int instrumentId) {
        this.file = file;
        this.instrumentId = instrumentId;
    }

    /**
     * Opens a message file, plain or gzip.
     *
     * @param instrumentId what the file's one instrument is called in the events
     * @throws OrderFlowException when the file is missing or unreadable
     */
    public static LobsterFlow open(Path messageCsv, int instrumentId) {
        return new LobsterFlow(LobsterFile.open(messageCsv), instrumentId);
    }

    /** As {@link #open(Path, int)} for instrument 1. */
    public static LobsterFlow open(Path messageCsv) {
        return open(messageCsv, DEFAULT_INSTRUMENT_ID);
    }

    @Override
    public boolean next(OrderEvent event) {
        CSVRecord row = file.next();
        if (row == null) {
            return false;
        }
        cells = cells == null ? new LobsterCells(file.path(), row) : cells.moveTo(row);
        read(cells, event);
        return true;
    }

    private void read(LobsterCells row, OrderEvent event) {
        if (row.count() != COLUMNS) {
            throw row.bad(row.count() + (row.count() == 1 ? " column" : " columns") + " instead of " + COLUMNS);
        }
        long timeNs = row.seconds(0, "time");
        if (timeNs < lastTimeNs) {
            throw row.bad("time goes backwards");
        }
        lastTimeNs = timeNs;
        int type = (int) row.number(1, "type", 1, 7);
        if (type == 7) {
            readStatus(row, timeNs, event);
        } else {
            readOrder(row, type, timeNs, event);
        }
    }

    private void readOrder(LobsterCells row, int type, long timeNs, OrderEvent event) {
        boolean isCross = type == 6;
        boolean isHidden = type == 5 || isCross;
        long orderId = row.number(2, "order id", isHidden ? NO_ORDER : 0, Long.MAX_VALUE);
        int quantity = (int) row.number(3, "size", isCross ? 0 : 1, Integer.MAX_VALUE);
        long price = row.number(4, "price", isCross ? 0 : 1, Long.MAX_VALUE);
        long direction = row.number(5, "direction", -1, 1);
        if (direction == 0) {
            throw row.bad("direction must be 1 (buy) or -1 (sell): 0");
        }
        Side side = direction == 1 ? Side.BUY : Side.SELL;
        event.set(typeOf(type), instrumentId, timeNs, Math.max(0, orderId), side, price, quantity);
    }

    private void readStatus(LobsterCells row, long timeNs, OrderEvent event) {
        row.number(2, "order id", NO_ORDER, Long.MAX_VALUE);
        row.number(3, "size", 0, Integer.MAX_VALUE);
        row.number(5, "direction", -1, 1);
        boolean isHalt = row.number(4, "price of a halt", -1, 1) == -1;
        event.set(isHalt ? EventType.HALT : EventType.RESUME, instrumentId, timeNs, 0, Side.BUY, 0, 0);
    }

    private static EventType typeOf(int type) {
        return switch (type) {
            case 1 -> EventType.ADD;
            case 2 -> EventType.CANCEL_PART;
            case 3 -> EventType.DELETE;
            case 4 -> EventType.EXECUTE;
            default -> EventType.HIDDEN_TRADE;
        };
    }

    @Override
    public void close() {
        file.close();
    }
}
