package org.naklab.exchange.lobster;

import java.nio.file.Path;
import org.apache.commons.csv.CSVRecord;
import org.naklab.exchange.flow.OrderFlowException;

/** Reads the cells of one CSV row strictly; every complaint names the file, the row and the column. */
final class LobsterCells {
    private static final int NANO_DIGITS = 9;
    private static final long MAX_SECONDS = 999_999;

    private final Path path;
    private CSVRecord row;

    LobsterCells(Path path, CSVRecord row) {
        this.path = path;
        this.row = row;
    }

    LobsterCells moveTo(CSVRecord next) {
        row = next;
        return this;
    }

    /** The row's number, from 1. */
    long rowNumber() {
        return row.getRecordNumber();
    }

    int count() {
        return row.size();
    }

    /** A whole number from {@code min} to {@code max}. */
    long number(int column, String name, long min, long max) {
        String cell = row.get(column).trim();
        long value;
        try {
            value = Long.parseLong(cell);
        } catch (NumberFormatException e) {
            throw new OrderFlowException(
                    where() + name + " is not a whole number: " + OrderFlowException.shown(cell), e);
        }
        if (value < min || value > max) {
            throw bad(name + " must be " + range(min, max) + ": " + value);
        }
        return value;
    }

    /** Decimal seconds as nanoseconds, exact; digits after the ninth decimal say less than a nanosecond and are cut off. */
    long seconds(int column, String name) {
        String cell = row.get(column).trim();
        int point = cell.indexOf('.');
        String whole = point < 0 ? cell : cell.substring(0, point);
        String fraction = point < 0 ? "" : cell.substring(point + 1);
        if (!isDigits(whole) || whole.isEmpty() || whole.length() > NANO_DIGITS || !isDigits(fraction)) {
            throw bad(name + " is not seconds after midnight: " + OrderFlowException.shown(cell));
        }
        long seconds = Long.parseLong(whole);
        if (seconds > MAX_SECONDS) {
            throw bad(name + " is not seconds after midnight: " + OrderFlowException.shown(cell));
        }
        return seconds * 1_000_000_000L + nanos(fraction);
    }

    OrderFlowException bad(String complaint) {
        return new OrderFlowException(where() + complaint);
    }

    private String where() {
        return path + " row " + rowNumber() + ": ";
    }

    private static long nanos(String fraction) {
        long nanos = 0;
        for (int i = 0; i < NANO_DIGITS; i++) {
            nanos = nanos * 10 + (i < fraction.length() ? fraction.charAt(i) - '0' : 0);
        }
        return nanos;
    }

    private static boolean isDigits(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String range(long min, long max) {
        return max >= Integer.MAX_VALUE ? "at least " + min : min + " to " + max;
    }
}
