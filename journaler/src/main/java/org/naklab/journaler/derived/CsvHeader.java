package org.naklab.journaler.derived;

import java.util.Arrays;

/** The row of column names that begins each CSV file. */
final class CsvHeader {
    private CsvHeader() {}

    static byte[] of(String... columns) {
        CsvRow row = new CsvRow();
        for (String column : columns) {
            row.text(column);
        }
        row.end();
        return Arrays.copyOf(row.bytes(), row.length());
    }
}
