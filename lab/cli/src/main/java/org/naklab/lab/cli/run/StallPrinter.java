package org.naklab.lab.cli.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.Terminal;

/** The longest stalls of a run, one line each, and the account of the one that matters. */
public final class StallPrinter {
    private static final int MAX_STALLS_SHOWN = 3;
    private static final String ACCOUNT_HEAD = "  account  ";
    private static final String STALL_HEAD = "  stall    ";
    private static final String BIND_HEAD = "  bind     ";

    /** Longer lines are hard to read, however wide the terminal. */
    private static final int MAX_COLUMNS = 110;

    private final Terminal terminal;
    private final PrintStream out;
    private final int columns;

    /** Creates a printer for the width of the terminal. */
    public StallPrinter(Terminal terminal, PrintStream out) {
        this(terminal, out, Math.min(terminal.columns(out), MAX_COLUMNS));
    }

    /** @param columns of a line of the account */
    StallPrinter(Terminal terminal, PrintStream out, int columns) {
        this.terminal = terminal;
        this.out = out;
        this.columns = columns;
    }

    /**
     * Prints the three longest stalls, and the one that matters if it is none of them.
     *
     * @param main the stall that matters
     * @param bindOf returns the bind that belongs to a stall, as text
     */
    public void print(List<Stall> stalls, Optional<Stall> main, Function<Stall, Optional<String>> bindOf) {
        List<Stall> shown = new ArrayList<>(stalls.stream()
                .sorted(Comparator.comparingDouble(Stall::durationMs).reversed())
                .limit(MAX_STALLS_SHOWN)
                .toList());
        main.filter(stall -> !shown.contains(stall)).ifPresent(shown::add);
        for (Stall stall : shown) {
            stall(stall);
            bindOf.apply(stall).ifPresent(bind -> terminal.printHanging(out, BIND_HEAD, bind));
            main.filter(stall::equals).ifPresent(each -> account(each.account()));
        }
        int more = stalls.size() - shown.size();
        if (more > 0) {
            out.println("           and " + more + " more: see run.json");
        }
    }

    private void stall(Stall stall) {
        String faults = stall.majorFaults() < 0 ? "unknown" : Format.count(stall.majorFaults());
        terminal.printHanging(
                out,
                STALL_HEAD,
                Format.milliseconds(stall.durationMs()) + " on " + stall.thread() + ", major faults " + faults
                        + ", cause " + stall.cause());
    }

    /** Lines are broken before a term of the sum; a term that is longer than a line is broken between its words. */
    private void account(StallAccount account) {
        String head = ACCOUNT_HEAD;
        StringBuilder line = new StringBuilder();
        for (String term : account.terms()) {
            if (!line.isEmpty() && head.length() + line.length() + 1 + term.length() > columns) {
                terminal.printHanging(out, head, line.toString(), columns);
                head = " ".repeat(ACCOUNT_HEAD.length());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(term);
        }
        if (!line.isEmpty()) {
            terminal.printHanging(out, head, line.toString(), columns);
        }
    }
}
