package org.naklab.exchange.lobster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVRecord;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.Side;

/**
 * A LOBSTER order book file: a row of {@code ask_price, ask_size, bid_price, bid_size} for each level, best first. Where a
 * side has fewer levels, the rest is filled with the price 9999999999 (ask) or -9999999999 (bid) and size 0.
 */
public final class LobsterBook {
    private static final int COLUMNS_PER_LEVEL = 4;
    private static final long NO_LEVEL = 9_999_999_999L;

    private LobsterBook() {}

    /**
     * Reads the levels of one row, best first, ask before bid.
     *
     * @param row from 1
     * @throws OrderFlowException when the file cannot be read, has fewer rows, or the row is bad
     */
    public static List<BookLevel> readRow(Path orderBookCsv, int row) {
        if (row < 1) {
            throw new IllegalArgumentException("rows count from 1: " + row);
        }
        try (LobsterFile file = LobsterFile.open(orderBookCsv)) {
            CSVRecord last = file.next();
            while (last != null && file.rowsRead() < row) {
                last = file.next();
            }
            if (last == null) {
                throw new OrderFlowException(
                        orderBookCsv + ": has no row " + row + ", only " + file.rowsRead() + " rows");
            }
            return levels(new LobsterCells(orderBookCsv, last));
        }
    }

    private static List<BookLevel> levels(LobsterCells row) {
        if (row.count() % COLUMNS_PER_LEVEL != 0) {
            throw row.bad(row.count() + " columns, which is not four for each level");
        }
        List<BookLevel> levels = new ArrayList<>();
        for (int column = 0; column < row.count(); column += COLUMNS_PER_LEVEL) {
            addLevel(levels, row, column, Side.SELL);
            addLevel(levels, row, column + 2, Side.BUY);
        }
        return List.copyOf(levels);
    }

    private static void addLevel(List<BookLevel> levels, LobsterCells row, int column, Side side) {
        int level = column / COLUMNS_PER_LEVEL + 1;
        String name = (side == Side.SELL ? "ask " : "bid ") + level;
        long price = row.number(column, name + " price", -NO_LEVEL, NO_LEVEL);
        long size = row.number(column + 1, name + " size", 0, Integer.MAX_VALUE);
        boolean isEmpty = price == (side == Side.SELL ? NO_LEVEL : -NO_LEVEL);
        if (isEmpty != (size == 0)) {
            throw row.bad(name + " has price " + price + " but size " + size);
        }
        if (isEmpty) {
            return;
        }
        if (price <= 0) {
            throw row.bad(name + " price must be at least 1: " + price);
        }
        requireWorseThanLast(levels, row, new BookLevel(side, price, (int) size), level);
        levels.add(new BookLevel(side, price, (int) size));
    }

    /** Levels come best first and without holes. */
    private static void requireWorseThanLast(List<BookLevel> levels, LobsterCells row, BookLevel next, int level) {
        List<BookLevel> sameSide =
                levels.stream().filter(other -> other.side() == next.side()).toList();
        boolean isInPlace = sameSide.size() == level - 1;
        if (isInPlace && level > 1) {
            long lastPrice = sameSide.get(level - 2).price();
            isInPlace = next.side() == Side.SELL ? next.price() > lastPrice : next.price() < lastPrice;
        }
        if (!isInPlace) {
            throw row.bad((next.side() == Side.SELL ? "ask " : "bid ") + level + " is out of place");
        }
    }
}
