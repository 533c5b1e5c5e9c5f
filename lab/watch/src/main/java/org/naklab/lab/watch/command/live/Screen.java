package org.naklab.lab.watch.command.live;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The whole of a terminal, which is drawn again and again in place; what was on it comes back when the screen is closed. It uses the alternate screen of xterm, which
 * terminals do not wrap anew when they are resized. Lines are clipped at the edge, and whatever was there before is cleared. Thread-safe.
 */
final class Screen implements AutoCloseable {
    private static final char ESCAPE = '\u001b';
    /** The alternate screen, lines that are not wrapped, no cursor. */
    private static final String ENTER = "\u001b[?1049h\u001b[?7l\u001b[?25l";

    private static final String LEAVE = "\u001b[?25h\u001b[?7h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String NO_STYLE = "\u001b[0m";

    private final OutputStream out;
    private boolean isOpen;
    private boolean isClosed;

    /** @param out the terminal's output, past any filter of control characters */
    Screen(OutputStream out) {
        this.out = out;
    }

    /**
     * Draws lines from the top. Takes the terminal when it is called first, and does nothing once the screen is closed.
     *
     * @param lines without control characters but for colours and styles
     */
    synchronized void draw(List<String> lines, TerminalSize size) {
        if (isClosed) {
            return;
        }
        StringBuilder frame = new StringBuilder(isOpen ? "" : ENTER).append(HOME);
        isOpen = true;
        int shown = Math.min(lines.size(), size.rows());
        for (int i = 0; i < shown; i++) {
            frame.append(clipped(lines.get(i), size.columns() - 1)).append(CLEAR_LINE);
            if (i < shown - 1) {
                frame.append("\r\n");
            }
        }
        write(frame.append(CLEAR_BELOW).toString());
    }

    /** Returns as much of a line as fits, with all of its colours and styles. */
    static String clipped(String line, int columns) {
        StringBuilder clipped = new StringBuilder();
        int shown = 0;
        boolean isStyled = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            int end = c == ESCAPE ? line.indexOf('m', i) : -1;
            if (end >= 0) {
                clipped.append(line, i, end + 1);
                i = end;
                isStyled = true;
            } else if (shown < columns) {
                clipped.append(c);
                shown++;
            }
        }
        return isStyled ? clipped.append(NO_STYLE).toString() : clipped.toString();
    }

    private void write(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the terminal is gone", e);
        }
    }

    /** Gives the terminal back as it was. */
    @Override
    public synchronized void close() {
        if (isOpen && !isClosed) {
            write(LEAVE);
        }
        isClosed = true;
    }
}
