package org.naklab.lab.cli.linking;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.calls.LibraryProfile;

/** Prints a profile of library calls as the table of libprof(1). */
final class LibprofPrinter {
    private static final double PERCENT = 100;
    private static final int SIGNALLED = 128;
    private static final double NS_PER_US = 1e3;

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
        String program = profile.command().get(0);
        out.println();
        out.println("Resource usage profile for process " + profile.pid() + ", "
                + program.substring(program.lastIndexOf('/') + 1) + end());
        out.println();
        if (profile.calls() == 0) {
            terminal.printHanging(
                    out,
                    "",
                    "No call was seen. The program is linked statically, belongs to another user's rights (setuid), or"
                            + " calls no function through a linkage table.");
            return;
        }
        printTable("Entire program", profile.entireSeconds(), profile.nonLibrarySeconds(), profile.functions());
        List<LibraryProfile.ThreadProfile> threads = profile.threads();
        if (threads != null) {
            for (LibraryProfile.ThreadProfile thread : threads) {
                out.println();
                String several = thread.threads() > 1 ? ", " + thread.threads() + " threads one after the other" : "";
                out.println("Thread " + thread.name() + " (" + thread.tid() + ") of process " + thread.pid() + several);
                printTable("Entire thread", thread.entireSeconds(), thread.nonLibrarySeconds(), thread.functions());
            }
        }
        out.println();
        printNotes();
    }

    private String end() {
        int code = profile.exitCode();
        if (code == 0) {
            return "";
        }
        return code > SIGNALLED ? ", ended by signal " + (code - SIGNALLED) : ", exit code " + code;
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
                .forEach(function -> row(table, function.name(), function.seconds(), entireSeconds, function.calls()));
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

    private void printNotes() {
        LibraryProfile.Overhead overhead = profile.overhead();
        note(String.format(
                Locale.ROOT,
                "Measured by hooks of the linkage tables. A call cost %.2f µs more, %.2f µs of it within the duration of the"
                        + " function (measured on this machine at the start): about %.3f s for %s.",
                overhead.nanosecondsPerCall() / NS_PER_US,
                overhead.insideNanosecondsPerCall() / NS_PER_US,
                overhead.seconds(),
                Format.counted(overhead.calls(), "call")));
        note(
                "Not seen: calls that bypass the linkage table (-fno-plt, inlined, intrinsics) and calls within a library.");
        if (!profile.notTimed().isEmpty()) {
            note("Counted, but not timed, because they must be called directly: "
                    + String.join(", ", profile.notTimed()) + ".");
        }
        if (profile.lostCalls() > 0) {
            note(Format.counted(profile.lostCalls(), "call") + " found no room in the table.");
        }
    }

    private void note(String text) {
        terminal.printHanging(out, "", text);
    }
}
