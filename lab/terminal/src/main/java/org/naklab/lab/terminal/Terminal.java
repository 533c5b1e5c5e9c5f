package org.naklab.lab.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Help.Ansi.Text;

/**
 * Tells where the command line writes. Colour, and lines that are rewritten, only where a person looks: the launcher tells which
 * of the streams is a terminal, as Java cannot.
 */
public final class Terminal {
    private static final String TERMINALS = System.getProperty("naklab.terminals", "");
    /** Width of a terminal that does not report its width. */
    private static final int COLUMNS =
            Integer.getInteger("naklab.columns", 0) > 0 ? Integer.getInteger("naklab.columns") : 80;

    private final PrintStream out;
    private final PrintStream err;
    /** Width of a page; 0: that of the terminal. */
    private final int pageColumns;
    /** Of its own streams. */
    private final List<PrintableStream> filters;

    private Colour colour = Colour.AUTO;

    private Terminal(PrintStream out, PrintStream err, int pageColumns, List<PrintableStream> filters) {
        this.out = out;
        this.err = err;
        this.pageColumns = pageColumns;
        this.filters = filters;
    }

    private Terminal(PrintStream out, PrintStream err, int pageColumns) {
        this(out, err, pageColumns, List.of());
    }

    public static Terminal ofProcess() {
        PrintableStream out = new PrintableStream(new FileOutputStream(FileDescriptor.out), TERMINALS.contains("1"));
        PrintableStream err = new PrintableStream(new FileOutputStream(FileDescriptor.err), TERMINALS.contains("2"));
        return new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0,
                List.of(out, err));
    }

    public static Terminal of(PrintStream out, PrintStream err) {
        return new Terminal(out, err, 0);
    }

    /**
     * Returns a terminal whose output is kept for a screen that is drawn as a whole: it has the colours of standard output, and lets no control character pass either.
     *
     * @param buffer takes the output, UTF-8
     * @param columns of a line
     */
    public Terminal page(OutputStream buffer, int columns) {
        PrintStream stream = new PrintStream(new PrintableStream(buffer, true), true, StandardCharsets.UTF_8);
        Terminal page = new Terminal(stream, stream, columns);
        page.colour(ansi(out) == Ansi.ON ? Colour.ALWAYS : Colour.NEVER);
        return page;
    }

    /** Returns standard output without the filter of control characters if a screen can be drawn on it; empty if it is no terminal, or one that has only lines. */
    public Optional<OutputStream> screen() {
        String kind = System.getenv("TERM");
        boolean hasScreen = outIsTerminal() && kind != null && !kind.equals("dumb");
        return hasScreen ? Optional.of(new FileOutputStream(FileDescriptor.out)) : Optional.empty();
    }

    /** Sets when output has colours. */
    public void colour(Colour when) {
        colour = when;
        if (when == Colour.ALWAYS) {
            filters.forEach(PrintableStream::passColours);
        }
    }

    public PrintStream out() {
        return out;
    }

    public PrintStream err() {
        return err;
    }

    public PrintWriter outWriter() {
        return new PrintWriter(out, true, StandardCharsets.UTF_8);
    }

    public PrintWriter errWriter() {
        return new PrintWriter(err, true, StandardCharsets.UTF_8);
    }

    /** Returns the maximum width of a line; unlimited if the output is not a terminal. */
    public int columns(PrintStream stream) {
        if (pageColumns > 0) {
            return pageColumns;
        }
        return isTerminal(stream) ? COLUMNS : Integer.MAX_VALUE;
    }

    private static boolean outIsTerminal() {
        return TERMINALS.contains("1");
    }

    public boolean errIsTerminal() {
        return TERMINALS.contains("2");
    }

    /**
     * Returns text with colours and styles where the stream shows them.
     *
     * @param markup picocli's, such as {@code @|bold text|@}
     */
    public String styled(PrintStream stream, String markup) {
        return ansi(stream).string(markup);
    }

    /**
     * Returns a cell of a {@link Table} with colours and styles where the stream shows them.
     *
     * @param markup picocli's, such as {@code @|bold text|@}
     */
    public Text markup(PrintStream stream, String markup) {
        return ansi(stream).text(markup);
    }

    /** Returns a cell of a {@link Table} with text that may contain anything, also markup. */
    public Text plain(PrintStream stream, String text) {
        return ansi(stream).text(Table.unbreakable(text));
    }

    /** Prints a head, and beside it a text that is wrapped between words at the edge of the terminal. */
    public void printHanging(PrintStream stream, String head, String text) {
        printHanging(stream, head, text, columns(stream));
    }

    /**
     * Prints a head, and beside it a text that is wrapped between words.
     *
     * @param maxColumns of a line, if the terminal is not narrower
     */
    public void printHanging(PrintStream stream, String head, String text, int maxColumns) {
        Table.printHanging(this, stream, plain(stream, head), text, Math.min(columns(stream), maxColumns));
    }

    /**
     * Prints a head with colours and styles where the stream shows them, and beside it a text that is wrapped between words.
     *
     * @param markup of the head, picocli's, such as {@code @|bold text|@}
     * @param maxColumns of a line, if the terminal is not narrower
     */
    public void printStyled(PrintStream stream, String markup, String text, int maxColumns) {
        Table.printHanging(this, stream, markup(stream, markup), text, Math.min(columns(stream), maxColumns));
    }

    /** Returns as many words of a text as fit on a line that is rewritten, which must not reach the last column. */
    public String truncated(PrintStream stream, String text) {
        return Table.truncated(this, stream, text, columns(stream) - 1);
    }

    /** Returns picocli's colours for the stream; none if it is no terminal. */
    Help.ColorScheme colours(PrintStream stream) {
        return Help.defaultColorScheme(ansi(stream));
    }

    private Ansi ansi(PrintStream stream) {
        return colour.isOn(isTerminal(stream), System.getenv("NO_COLOR")) ? Ansi.ON : Ansi.OFF;
    }

    private boolean isTerminal(PrintStream stream) {
        return TERMINALS.contains(stream == out ? "1" : "2");
    }

    /** Returns a cell of a {@link Table} in bold; its text may contain anything, also markup. */
    public Text bold(PrintStream stream, String text) {
        return colours(stream).apply(Table.unbreakable(text), List.of(Style.bold));
    }
}
