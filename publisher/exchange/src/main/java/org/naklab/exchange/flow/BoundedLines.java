package org.naklab.exchange.flow;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Refuses a line that is too long for its format before it fills the memory: a small gzip file can hold a line of any length. */
public final class BoundedLines extends FilterReader {
    private final int maxLineChars;
    private int lineChars;

    public BoundedLines(Reader in, int maxLineChars) {
        super(in);
        this.maxLineChars = maxLineChars;
    }

    @Override
    public int read() throws IOException {
        int character = super.read();
        if (character >= 0) {
            count((char) character);
        }
        return character;
    }

    @Override
    public int read(char[] characters, int offset, int length) throws IOException {
        int read = super.read(characters, offset, length);
        for (int i = 0; i < read; i++) {
            count(characters[offset + i]);
        }
        return read;
    }

    private void count(char character) throws LongLineException {
        lineChars = character == '\n' || character == '\r' ? 0 : lineChars + 1;
        if (lineChars > maxLineChars) {
            throw new LongLineException("is longer than " + maxLineChars + " characters, which no row is");
        }
    }

    /** A line without an end in sight. */
    static final class LongLineException extends IOException {
        private static final long serialVersionUID = 1L;

        LongLineException(String message) {
            super(message);
        }
    }
}
