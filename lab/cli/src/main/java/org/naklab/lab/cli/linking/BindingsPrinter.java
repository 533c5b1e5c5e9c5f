package org.naklab.lab.cli.linking;

import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.linking.Bindings;

/** Prints how libraries are bound. */
final class BindingsPrinter {
    /** Symbols of a library that are printed unless all are asked for. */
    static final int FEW = 10;

    private final Terminal terminal;
    private final PrintStream out;
    private final Bindings bindings;
    private final int maxSymbols;

    BindingsPrinter(Terminal terminal, Bindings bindings, int maxSymbols) {
        this.terminal = terminal;
        this.out = terminal.out();
        this.bindings = bindings;
        this.maxSymbols = maxSymbols;
    }

    void print() {
        printHead();
        Table table =
                new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("Library", "RELRO", "BIND_NOW", "Slots", "Unbound", "On disk");
        for (Bindings.Library library : bindings.libraries()) {
            table.row(
                    name(library.file()),
                    library.relro().label(),
                    library.kind().equals("static") ? "static" : library.bindNow() ? "yes" : "no",
                    Format.count(library.slots()),
                    Format.count(library.unbound()),
                    library.unbound() == 0 ? "" : pagesOnDisk(library));
        }
        table.print();
        bindings.notRead().forEach(file -> out.println("  " + file + ": cannot be read"));
        bindings.libraries().stream().filter(library -> library.unbound() > 0).forEach(this::printSymbols);
        printRemedies();
    }

    private void printHead() {
        if (bindings.pid() == null) {
            Bindings.Library file = bindings.libraries().get(0);
            out.println(name(file.file()) + ": " + when(file));
        } else {
            out.println("Process " + bindings.pid() + " (" + name(String.valueOf(bindings.program())) + "): "
                    + Format.counted(bindings.unbound(), "symbol") + " unbound in "
                    + Format.count(bindings.libraries().size()) + " files"
                    + (bindings.bindNow() ? "; started with LD_BIND_NOW" : ""));
        }
        if (bindings.audited()) {
            terminal.printHanging(
                    out,
                    "",
                    "An audit library is loaded: the dynamic linker keeps bound addresses elsewhere then, and all slots"
                            + " of libraries that are bound lazily look unbound.");
        }
        out.println();
    }

    private static String when(Bindings.Library file) {
        if (file.kind().equals("static")) {
            return "static, nothing is bound";
        }
        if (file.slots() == 0) {
            return "calls no function through a linkage table";
        }
        return file.bindNow()
                ? Format.counted(file.slots(), "function") + ", bound when it is loaded"
                : Format.counted(file.slots(), "function") + ", each bound at its first call";
    }

    private static String pagesOnDisk(Bindings.Library library) {
        if (library.symbols().stream().anyMatch(symbol -> symbol.pagesOnDisk() == null)) {
            return "?";
        }
        return Format.count(library.symbols().stream()
                .mapToInt(symbol -> Objects.requireNonNullElse(symbol.pagesOnDisk(), 0))
                .sum());
    }

    private void printSymbols(Bindings.Library library) {
        out.println();
        out.println(terminal.styled(out, "@|bold Unbound|@ in ") + library.file());
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT);
        List<Bindings.Symbol> symbols = library.symbols();
        symbols.stream().limit(maxSymbols).forEach(symbol -> table.row(symbol.symbol(), cost(symbol)));
        table.print();
        if (symbols.size() > maxSymbols) {
            out.println("  and " + Format.count(symbols.size() - maxSymbols) + " more; --all prints them");
        }
        if (bindings.pid() != null) {
            terminal.printHanging(out, "  ", threads(library.threads()));
        }
    }

    private static String cost(Bindings.Symbol symbol) {
        if (symbol.pagesRead() == null) {
            return "";
        }
        String from = symbol.definedIn() == null ? "defined nowhere; " : "from " + symbol.definedIn() + "; ";
        String reads = "its bind reads " + Format.counted(symbol.pagesRead(), "page");
        if (symbol.pagesOnDisk() == null) {
            return from + reads;
        }
        if (symbol.pagesOnDisk() == 0) {
            return from + reads + ", all in memory";
        }
        return from + reads + ", " + symbol.pagesOnDisk() + " of them from disk ("
                + Objects.requireNonNullElse(symbol.onDisk(), List.<Bindings.Place>of()).stream()
                        .map(place -> place.file() + " " + place.section() + " " + place.pages())
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static String threads(@Nullable List<String> threads) {
        return threads == null || threads.isEmpty()
                ? "No thread that waits has code of this library on its stack: whichever calls first pays."
                : "Threads with code of this library on their stacks, which may pay: " + String.join(", ", threads);
    }

    private void printRemedies() {
        if (bindings.remedies().isEmpty()) {
            return;
        }
        out.println();
        out.println(terminal.styled(out, "@|bold Remedies|@ (any one of them)"));
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT);
        bindings.remedies().forEach(remedy -> table.row(remedy.name(), remedy.how()));
        table.print();
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
