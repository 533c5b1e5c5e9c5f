package org.naklab.lab.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.Printable;

/**
 * The last stage before standard output and standard error: whatever text comes here, no control character of it reaches a terminal, except those that the lab itself
 * uses. These are line feeds, tabs, colours and styles, and the clearing of a line that is written again, the latter two only where a person looks or asks for them. Takes UTF-8 as a
 * {@link java.io.PrintStream} writes it.
 */
final class PrintableStream extends OutputStream {
    /** A colour or style as picocli writes it, the clearing of a line, or the end of a line in a CSV file. */
    private static final Pattern OF_TERMINAL = Pattern.compile("\r\n|\r?\u001b\\[(?:[0-9;]{0,11}m|K)");

    private static final Pattern OF_FILE = Pattern.compile("\r\n");

    /** Most terminals take it for a double underline. */
    private static final String PICOCLIS_END_OF_BOLD = "\u001b[21m";

    private static final String END_OF_BOLD = "\u001b[22m";

    private static final int MAX_BYTES = 4;
    private static final int ASCII = 0x80;
    private static final int DELETE = 0x7f;

    private final OutputStream out;
    private Pattern own;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final StringBuilder sequence = new StringBuilder();
    private final byte[] character = new byte[MAX_BYTES];
    private int length;
    private int wanted;

    /** @param isTerminal whether colours may pass */
    PrintableStream(OutputStream out, boolean isTerminal) {
        this.out = out;
        own = isTerminal ? OF_TERMINAL : OF_FILE;
    }

    /** Lets colours pass from now on, although the stream is no terminal's. */
    synchronized void passColours() {
        own = OF_TERMINAL;
    }

    @Override
    public synchronized void write(int b) throws IOException {
        accept(b & 0xff);
        printed.writeTo(out);
        printed.reset();
    }

    /** Text is almost always without such characters, and goes on as it is. */
    @Override
    public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
        int end = offset + count;
        int from = offset;
        while (from < end) {
            int to = from;
            while (to < end && isPlain(bytes[to])) {
                to++;
            }
            if (to > from && length == 0 && sequence.length() == 0) {
                printed.write(bytes, from, to - from);
                from = to;
            } else {
                accept(bytes[from++] & 0xff);
            }
        }
        printed.writeTo(out);
        printed.reset();
    }

    @Override
    public synchronized void flush() throws IOException {
        out.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        endCharacter();
        endSequence();
        printed.writeTo(out);
        printed.reset();
        out.close();
    }

    private static boolean isPlain(byte b) {
        return (b >= ' ' && b < DELETE) || b == '\n' || b == '\t';
    }

    private void accept(int unit) {
        if (wanted > 0 && (unit & 0xc0) == ASCII) {
            character[length++] = (byte) unit;
            if (length == wanted) {
                endCharacter();
            }
            return;
        }
        endCharacter();
        if (unit < ASCII) {
            ascii((char) unit);
        } else {
            endSequence();
            wanted = bytesOf(unit);
            character[length++] = (byte) unit;
        }
    }

    /** Returns the length of a character of UTF-8 by its first byte. */
    private static int bytesOf(int first) {
        if (first >= 0xf0) {
            return 4;
        }
        return first >= 0xe0 ? 3 : 2;
    }

    private void ascii(char c) {
        Matcher sequences = own.matcher(sequence.toString() + c);
        if (sequences.matches()) {
            print((sequence.toString() + c).replace(PICOCLIS_END_OF_BOLD, END_OF_BOLD));
            sequence.setLength(0);
            return;
        }
        if (sequences.hitEnd()) {
            sequence.append(c);
            return;
        }
        if (sequence.length() > 0) {
            // What had begun was none of the lab's, but another may begin here.
            endSequence();
            ascii(c);
            return;
        }
        print(Printable.isControl(c) && c != '\n' && c != '\t' ? Printable.escaped(c) : String.valueOf(c));
    }

    /** What began as a sequence of the lab's was none. */
    private void endSequence() {
        if (sequence.length() > 0) {
            String began = sequence.toString();
            sequence.setLength(0);
            print(Printable.of(began));
        }
    }

    /** What is no UTF-8 becomes the character for that. */
    private void endCharacter() {
        if (length > 0) {
            String text = new String(character, 0, length, StandardCharsets.UTF_8);
            length = 0;
            wanted = 0;
            print(Printable.of(text));
        }
    }

    private void print(String text) {
        printed.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
