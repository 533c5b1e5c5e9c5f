package org.naklab.lab.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.naklab.lab.core.Printable;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/**
 * A table whose columns are as wide as their widest cell. The last column is wrapped between words at the edge of the terminal. The
 * layout and the wrapping are those of picocli's {@link TextTable}.
 */
public final class Table {
    /** Decides on which side of a cell its padding is. */
    public enum Align {
        LEFT,
        RIGHT
    }

    private static final int GAP = 2;

    /** If the other columns leave less than this for the last one, breaking its text would make it unreadable. */
    private static final int MIN_WRAPPED_WIDTH = 16;

    /**
     * Where the letters are that stand for punctuation while picocli looks for places to break: the break iterator of the JDK would
     * break '/tmp/runs', 'events/s' and 'net.core.rmem_max'. Picocli does the same for '-'. The letters are of the private use area.
     */
    private static final int UNBREAKABLE = 0xe000;

    private final Terminal terminal;
    private final PrintStream stream;
    private final Align[] columns;
    private final List<Text[]> rows = new ArrayList<>();
    private int indent = 2;
    private int below = -1;

    /**
     * Creates an empty table.
     *
     * @param stream to which it will be printed; its width limits the last column if it is a terminal
     */
    public Table(Terminal terminal, PrintStream stream, Align... columns) {
        this.terminal = terminal;
        this.stream = stream;
        this.columns = columns.clone();
    }

    /** Sets the number of blanks before each row; the default is 2. */
    public Table indent(int blanks) {
        indent = blanks;
        return this;
    }

    /** Prints the last cell of a row below the others if it does not fit beside them, after so many blanks. */
    public Table below(int blanks) {
        below = blanks;
        return this;
    }

    /** Adds a row of unstyled cells; see {@link #row(Text...)}. */
    public Table row(String... cells) {
        return row(Arrays.stream(cells).map(this::plain).toArray(Text[]::new));
    }

    /** Adds a row of cells in bold; see {@link #row(Text...)}. */
    public Table bold(String... cells) {
        return row(Arrays.stream(cells).map(cell -> terminal.bold(stream, cell)).toArray(Text[]::new));
    }

    /** Adds a row of column titles. */
    public Table head(String... titles) {
        return row(Arrays.stream(titles)
                .map(title -> terminal.markup(stream, "@|faint " + title + "|@"))
                .toArray(Text[]::new));
    }

    /**
     * Adds a row.
     *
     * @param cells from the left; if there are fewer than columns, the last one spans the remaining columns
     */
    public Table row(Text... cells) {
        if (cells.length == 0 || cells.length > columns.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.length + " columns");
        }
        rows.add(cells.clone());
        return this;
    }

    /** Returns the width of the widest row, in characters, if nothing is wrapped. */
    public int naturalWidth() {
        int[] widths = widths();
        return rows.stream()
                .mapToInt(row -> start(row.length - 1, widths)
                        + (row.length == columns.length ? widths[row.length - 1] : length(row[row.length - 1])))
                .max()
                .orElse(0);
    }

    /** Prints all rows. */
    public void print() {
        int[] widths = widths();
        rows.forEach(row -> print(row, widths));
    }

    /** Prints a head, and beside it a text that is wrapped before the given column. */
    static void printHanging(Terminal terminal, PrintStream stream, Text head, String text, int limit) {
        int headWidth = length(head);
        Column[] both = {
            new Column(headWidth, 0, Column.Overflow.TRUNCATE),
            new Column(wrappedWidth(headWidth, text, limit), 0, Column.Overflow.WRAP)
        };
        stream.print(layout(terminal, stream, both, head, terminal.plain(stream, text)));
    }

    /** Returns as many words of a text as fit on one line: half a number would be a wrong one. */
    static String truncated(Terminal terminal, PrintStream stream, String text, int limit) {
        Column[] only = {new Column(Math.max(1, Math.min(limit, 2 * text.length())), 0, Column.Overflow.WRAP)};
        return layout(terminal, stream, only, terminal.plain(stream, text))
                .lines()
                .findFirst()
                .orElse("");
    }

    private void print(Text[] row, int[] widths) {
        int last = row.length - 1;
        int start = start(last, widths);
        if (below >= 0 && last > 0 && start + length(row[last]) > terminal.columns(stream)) {
            print(Arrays.copyOf(row, last), widths);
            printHanging(
                    terminal,
                    stream,
                    terminal.plain(stream, " ".repeat(below)),
                    original(row[last].plainString()),
                    terminal.columns(stream));
            return;
        }
        Column[] layout = new Column[row.length];
        Text[] cells = new Text[row.length];
        for (int i = 0; i < row.length; i++) {
            int gap = i == 0 ? indent : GAP;
            cells[i] = columns[i] == Align.RIGHT ? padded(row[i], widths[i]) : row[i];
            layout[i] = new Column(gap + widths[i], gap, Column.Overflow.TRUNCATE);
        }
        int gap = last == 0 ? indent : GAP;
        int width = wrappedWidth(start, cells[last].plainString(), terminal.columns(stream));
        layout[last] = new Column(gap + width, gap, Column.Overflow.WRAP);
        stream.print(layout(terminal, stream, layout, cells));
    }

    /** Cells that span columns do not widen them. */
    private int[] widths() {
        return IntStream.range(0, columns.length)
                .map(column -> rows.stream()
                        .filter(row -> column < row.length - 1 || row.length == columns.length)
                        .mapToInt(row -> length(row[column]))
                        .max()
                        .orElse(0))
                .toArray();
    }

    private int start(int column, int[] widths) {
        return indent + GAP * column + Arrays.stream(widths, 0, column).sum();
    }

    private Text padded(Text cell, int width) {
        return terminal.plain(stream, " ".repeat(Math.max(0, width - length(cell))))
                .concat(cell);
    }

    private Text plain(String cell) {
        return terminal.plain(stream, cell);
    }

    /** Returns a text that picocli breaks between words only; what it has laid out must be turned back by {@link #original}. */
    public static String unbreakable(String cell) {
        return mapped(
                Printable.lines(cell), c -> c > ' ' && c < 128 && !Character.isLetterOrDigit(c) ? UNBREAKABLE + c : c);
    }

    /** Returns a text with the punctuation that {@link #unbreakable} replaced. */
    public static String original(String text) {
        return mapped(text, c -> c > UNBREAKABLE && c < UNBREAKABLE + 128 ? c - UNBREAKABLE : c);
    }

    private static String mapped(String text, IntUnaryOperator map) {
        return text.chars()
                .map(map)
                .collect(StringBuilder::new, (to, c) -> to.append((char) c), StringBuilder::append)
                .toString();
    }

    private static int length(Text cell) {
        return cell.plainString().length();
    }

    /**
     * Returns the width of a column. A text with a word that would not fit is left to the terminal to break, so that a path or a
     * command can still be copied from it.
     */
    private static int wrappedWidth(int start, String text, int limit) {
        int room = limit - start;
        int longest = Arrays.stream(text.split(" ", -1))
                .mapToInt(String::length)
                .max()
                .orElse(0);
        boolean isWrapped = room >= Math.max(MIN_WRAPPED_WIDTH, longest);
        // Picocli counts some letters twice; blanks at the end of a line are not printed.
        int width = 2 * text.length();
        return Math.max(1, isWrapped ? Math.min(room, width) : width);
    }

    private static String layout(Terminal terminal, PrintStream stream, Column[] columns, Text... cells) {
        TextTable table = TextTable.forColumns(terminal.colours(stream), columns);
        table.indentWrappedLines = 0;
        table.addRowValues(cells);
        return original(table.toString());
    }
}
