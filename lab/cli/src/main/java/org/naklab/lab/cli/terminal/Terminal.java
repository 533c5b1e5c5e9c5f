package org.naklab.lab.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Help.Ansi;

/**
 * Where the command line writes. Colour, and lines that are rewritten, only where a person looks: the launcher tells which
 * of the streams is a terminal, as Java cannot.
 */
public final class Terminal {
    private static final String TERMINALS = System.getProperty("naklab.terminals", "");
    /** Of a terminal that does not tell, the usual. */
    private static final int COLUMNS =
            Integer.getInteger("naklab.columns", 0) > 0 ? Integer.getInteger("naklab.columns") : 80;

    private static final boolean COLOUR = System.getenv("NO_COLOR") == null;

    private final PrintStream out;
    private final PrintStream err;

    private Terminal(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static Terminal ofProcess() {
        return new Terminal(stream(FileDescriptor.out), stream(FileDescriptor.err));
    }

    public static Terminal of(PrintStream out, PrintStream err) {
        return new Terminal(out, err);
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

    /** How wide lines may be: as wide as they like where no terminal breaks them. */
    public int columns(PrintStream stream) {
        return isTerminal(stream) ? COLUMNS : Integer.MAX_VALUE;
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
        return (isTerminal(stream) && COLOUR ? Ansi.ON : Ansi.OFF).string(markup);
    }

    private boolean isTerminal(PrintStream stream) {
        return TERMINALS.contains(stream == out ? "1" : "2");
    }

    /** Text that may hold anything, markup too, in bold. */
    public String bold(PrintStream stream, String text) {
        String marked = styled(stream, "@|bold x|@");
        return marked.replace("x", text);
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
