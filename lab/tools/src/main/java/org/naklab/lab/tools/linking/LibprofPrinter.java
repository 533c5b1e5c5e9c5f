package org.naklab.lab.tools.linking;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.core.Format;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;

/** Prints a profile of library calls as the table of libprof(1). */
final class LibprofPrinter {
    private static final double PERCENT = 100;

    private final Terminal terminal;
    private final PrintStream out;
    private final LibraryProfile profile;
    private final int top;

    LibprofPrinter(Terminal terminal, LibraryProfile profile, int top) {
        this.terminal = terminal;
        this.out = terminal.out();
        this.profile = profile;
        this.top = top;
    }

    void print() {
        out.println();
        out.println("Resource usage profile for process " + profile.pid() + ", " + LibprofText.program(profile)
                + LibprofText.end(profile));
        LibprofText.whyNotLoaded(profile).ifPresent(text -> terminal.printHanging(out, "", text));
        out.println();
        if (profile.functions().isEmpty()) {
            terminal.printHanging(out, "", LibprofText.nothing(profile));
            printSystem();
            out.println();
            printNotes();
            return;
        }
        printTable("Entire program", profile.entireSeconds(), profile.nonLibrarySeconds(), profile.functions());
        List<LibraryProfile.ThreadProfile> threads = profile.threads();
        if (threads != null) {
            for (LibraryProfile.ThreadProfile thread : threads) {
                out.println();
                out.println(LibprofText.thread(thread));
                printTable("Entire thread", thread.entireSeconds(), thread.nonLibrarySeconds(), thread.functions());
            }
        }
        printSystem();
        out.println();
        printNotes();
    }

    private void printTable(
            String whole, double entireSeconds, double otherSeconds, List<LibraryProfile.Function> functions) {
        Table table =
                new Table(terminal, out, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.RIGHT).indent(0);
        table.head("Name", "Duration", "Pct.", "Calls", "Sec/Call");
        row(table, whole, entireSeconds, entireSeconds, 1);
        row(table, "Non-library time", otherSeconds, entireSeconds, 1);
        table.row("----");
        functions.stream()
                .limit(top)
                .forEach(function -> row(
                        table,
                        LibprofText.name(function, functions),
                        function.seconds(),
                        entireSeconds,
                        function.calls()));
        if (functions.size() > top) {
            List<LibraryProfile.Function> others = functions.subList(top, functions.size());
            row(
                    table,
                    "(" + Format.counted(others.size(), "other") + ")",
                    others.stream()
                            .mapToDouble(LibraryProfile.Function::seconds)
                            .sum(),
                    entireSeconds,
                    others.stream().mapToLong(LibraryProfile.Function::calls).sum());
        }
        table.print();
    }

    private static void row(Table table, String name, double seconds, double entireSeconds, long calls) {
        table.row(
                name,
                String.format(Locale.ROOT, "%.8f", seconds),
                String.format(Locale.ROOT, "%.2f", entireSeconds == 0 ? 0 : PERCENT * seconds / entireSeconds),
                Long.toString(calls),
                calls == 0 ? "" : String.format(Locale.ROOT, "%.8f", seconds / calls));
    }

    private void printSystem() {
        SystemAccount system = profile.system();
        if (system == null) {
            return;
        }
        print(
                SystemText.TITLE,
                SystemText.THREAD_HEAD,
                system.threads().stream().map(SystemText::cells).toList());
        print(
                SystemText.CALLS_TITLE,
                SystemText.CALL_HEAD,
                system.systemCalls().stream().map(SystemText::cells).toList());
        if (!system.locks().isEmpty()) {
            print(
                    SystemText.LOCKS_TITLE,
                    SystemText.LOCK_HEAD,
                    system.locks().stream().map(SystemText::cells).toList());
        }
    }

    private void print(String title, List<String> head, List<List<String>> rows) {
        out.println();
        out.println(title);
        Align[] columns = head.stream().map(any -> Align.RIGHT).toArray(Align[]::new);
        columns[0] = Align.LEFT;
        Table table = new Table(terminal, out, columns).indent(0);
        table.head(head.toArray(String[]::new));
        rows.stream().limit(top).forEach(row -> table.row(row.toArray(String[]::new)));
        table.print();
        if (rows.size() > top) {
            out.println("and " + Format.count(rows.size() - top) + " more");
        }
    }

    private void printNotes() {
        LibprofText.notes(profile).forEach(note -> terminal.printHanging(out, "", note));
    }
}
