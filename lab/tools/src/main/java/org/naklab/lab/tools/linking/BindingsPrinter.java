package org.naklab.lab.tools.linking;

import java.io.PrintStream;
import java.util.List;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.forecast.BindForecast;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints how libraries are bound. */
final class BindingsPrinter {
    /** Symbols of a library that are printed unless all are asked for. */
    static final int FEW = 10;

    private final Terminal terminal;
    private final PrintStream out;
    private final Bindings bindings;
    private final List<BindForecast> forecasts;
    private final int maxSymbols;

    BindingsPrinter(Terminal terminal, Bindings bindings, List<BindForecast> forecasts, int maxSymbols) {
        this.terminal = terminal;
        this.out = terminal.out();
        this.bindings = bindings;
        this.forecasts = forecasts;
        this.maxSymbols = maxSymbols;
    }

    void print() {
        printHead();
        Table table =
                new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT);
        table.head("Library", "RELRO", "BIND_NOW", "Slots", "Unbound", "On disk");
        for (Bindings.Library library : bindings.libraries()) {
            table.row(
                    BindingsText.name(library.file()),
                    library.binding().relro().label(),
                    BindingsText.bindNow(library),
                    Format.count(library.binding().slots()),
                    Format.count(library.binding().unbound()),
                    BindingsText.pagesOnDisk(library));
        }
        table.print();
        bindings.notRead().forEach(file -> out.println("  " + file + ": cannot be read"));
        bindings.libraries().stream()
                .filter(library -> library.binding().unbound() > 0)
                .forEach(this::printSymbols);
        printForecasts();
        printRemedies();
    }

    private void printForecasts() {
        if (forecasts.isEmpty()) {
            return;
        }
        out.println();
        out.println(terminal.styled(out, "@|bold Forecast|@"));
        BindingsText.longest(forecasts).forEach(forecast -> terminal.printHanging(out, "  ", forecast.sentence()));
    }

    private void printHead() {
        out.println(BindingsText.head(bindings));
        if (bindings.audited()) {
            terminal.printHanging(out, "", BindingsText.AUDITED);
        }
        out.println();
    }

    private void printSymbols(Bindings.Library library) {
        out.println();
        out.println(terminal.styled(out, "@|bold Unbound|@ in ") + library.file());
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT);
        List<Bindings.Symbol> symbols = library.symbols();
        symbols.stream().limit(maxSymbols).forEach(symbol -> table.row(symbol.symbol(), BindingsText.cost(symbol)));
        table.print();
        if (symbols.size() > maxSymbols) {
            out.println("  and " + Format.count(symbols.size() - maxSymbols) + " more; --all prints them");
        }
        if (bindings.pid() != null) {
            terminal.printHanging(out, "  ", BindingsText.threads(library.threads()));
        }
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
}
