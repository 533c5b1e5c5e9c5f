package org.naklab.lab.instruments.linux;

import org.agrona.DirectBuffer;

/** Walks over the text of a {@code /proc} file: numbers and words between blanks, without allocation. */
public final class AsciiScanner {
    private DirectBuffer buffer;
    private int position;
    private int limit;

    public AsciiScanner(DirectBuffer buffer) {
        this.buffer = buffer;
    }

    AsciiScanner wrap(DirectBuffer newBuffer, int from, int to) {
        buffer = newBuffer;
        return reset(from, to);
    }

    public AsciiScanner reset(int from, int to) {
        position = from;
        limit = to;
        return this;
    }

    public int position() {
        return position;
    }

    public boolean atEnd() {
        return position >= limit;
    }

    /** Returns the byte here; 0 at the end. */
    public byte peek() {
        return position < limit ? buffer.getByte(position) : 0;
    }

    public AsciiScanner skipBlanks() {
        while (position < limit && isBlank(buffer.getByte(position))) {
            position++;
        }
        return this;
    }

    /** Goes behind the next {@code count} words. */
    public AsciiScanner skipWords(int count) {
        for (int i = 0; i < count; i++) {
            skipBlanks();
            while (position < limit && !isBlank(buffer.getByte(position)) && buffer.getByte(position) != '\n') {
                position++;
            }
        }
        return this;
    }

    public AsciiScanner skipByte() {
        position = Math.min(position + 1, limit);
        return this;
    }

    public AsciiScanner skipHexDigits() {
        while (Character.digit(peek(), 16) >= 0) {
            position++;
        }
        return this;
    }

    public AsciiScanner skipLine() {
        while (position < limit && buffer.getByte(position) != '\n') {
            position++;
        }
        position = Math.min(position + 1, limit);
        return this;
    }

    /** Goes behind the last such byte; stays when there is none. */
    public AsciiScanner skipLast(char wanted) {
        for (int i = limit - 1; i >= position; i--) {
            if (buffer.getByte(i) == wanted) {
                position = i + 1;
                break;
            }
        }
        return this;
    }

    /** Reads the decimal number that starts after blanks, with an optional sign; 0 if there is none. */
    public long nextLong() {
        skipBlanks();
        boolean negative = peek() == '-';
        if (negative) {
            position++;
        }
        long value = 0;
        for (int digit = peek() - '0'; digit >= 0 && digit <= 9; digit = peek() - '0') {
            value = value * 10 + digit;
            position++;
        }
        return negative ? -value : value;
    }

    /** Reads the hexadecimal number that starts here. */
    public long nextHex() {
        long value = 0;
        for (int digit = Character.digit(peek(), 16); digit >= 0; digit = Character.digit(peek(), 16)) {
            value = (value << 4) | digit;
            position++;
        }
        return value;
    }

    /** Advances past the word if the text here starts with it. */
    boolean skip(byte[] word) {
        if (position + word.length > limit) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (buffer.getByte(position + i) != word[i]) {
                return false;
            }
        }
        position += word.length;
        return true;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}
