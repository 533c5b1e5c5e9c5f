package org.naklab.exchange.itch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The day's stocks by stock locate, as far as the file has been read; NASDAQ sends them before the first order. */
public final class SymbolDirectory {
    private static final int LOCATES = 1 << 16;

    private @Nullable String[] symbols = new String[1 << 8];
    private int size;

    SymbolDirectory() {}

    void put(int stockLocate, String symbol) {
        if (stockLocate >= symbols.length) {
            symbols = Arrays.copyOf(symbols, Math.min(LOCATES, Integer.highestOneBit(stockLocate) * 2));
        }
        if (symbols[stockLocate] == null) {
            size++;
        }
        symbols[stockLocate] = symbol;
    }

    /** The stock's symbol without its padding, or null when the directory has no such instrument. */
    public @Nullable String symbol(int instrumentId) {
        return instrumentId >= 0 && instrumentId < symbols.length ? symbols[instrumentId] : null;
    }

    /** Stocks known so far. */
    public int size() {
        return size;
    }
}
