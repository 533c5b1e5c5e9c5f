package org.naklab.lab.cli.history;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.runs.calendar.Calendar;
import org.naklab.lab.runs.calendar.CalendarCell;
import org.naklab.lab.runs.history.RunMark;
import org.naklab.lab.runs.history.RunRow;
import picocli.CommandLine.Help.Ansi.Text;

/** The calendar on a terminal: a letter for each run, by its verdict. */
final class CalendarTable {
    /** Letters in a cell; of more runs, the numbers. */
    private static final int MAX_LETTERS = 10;

    private final Terminal terminal;
    private final PrintStream out;
    private final int days;

    CalendarTable(Terminal terminal, int days) {
        this.terminal = terminal;
        this.days = days;
        out = terminal.out();
    }

    void print(Calendar calendar) {
        if (calendar.sections().isEmpty()) {
            out.println("no runs");
            return;
        }
        calendar.sections().forEach(this::print);
        for (RunMark mark : RunMark.values()) {
            printMarkup("  " + styled(mark, String.valueOf(mark.letter())) + "  " + mark.meaning());
        }
        out.println("  Days in UTC.");
    }

    private void print(Calendar.Section section) {
        printMarkup("@|bold " + section.scenario() + "|@");
        List<Calendar.Day> shown = section.days().stream().limit(days).toList();
        Table columns = columns(section.remedies(), shown);
        boolean isWide = columns.naturalWidth() > terminal.columns(out);
        (isWide ? lines(section.remedies(), shown) : columns).print();
        int left = section.days().size() - days;
        if (left > 0) {
            out.println("  and " + left + (left == 1 ? " earlier day" : " earlier days") + " (--days)");
        }
        out.println();
    }

    /** Returns a table with a column per remedy. */
    private Table columns(List<String> remedies, List<Calendar.Day> shown) {
        Align[] left = new Align[1 + remedies.size()];
        Arrays.fill(left, Align.LEFT);
        Table table = new Table(terminal, out, left);
        table.head(Stream.concat(Stream.of("day"), remedies.stream()).toArray(String[]::new));
        for (Calendar.Day day : shown) {
            table.row(Stream.concat(
                            Stream.of(terminal.plain(out, day.day())),
                            day.cells().stream().map(this::cell))
                    .toArray(Text[]::new));
        }
        return table;
    }

    /** Returns a table with a line per remedy, for terminals on which the columns do not fit. */
    private Table lines(List<String> remedies, List<Calendar.Day> shown) {
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT);
        for (Calendar.Day day : shown) {
            String head = day.day();
            for (int i = 0; i < remedies.size(); i++) {
                CalendarCell cell = day.cells().get(i);
                if (!cell.runs().isEmpty()) {
                    table.row(terminal.plain(out, head), terminal.plain(out, remedies.get(i)), cell(cell));
                    head = "";
                }
            }
        }
        return table;
    }

    /** Returns a letter for each run, or how many runs of each verdict there are. */
    private Text cell(CalendarCell cell) {
        List<RunRow> runs = cell.runs();
        if (runs.isEmpty()) {
            return terminal.markup(out, "@|faint .|@");
        }
        Stream<String> texts = runs.size() <= MAX_LETTERS
                ? runs.stream()
                        .map(run -> styled(run.mark(), String.valueOf(run.mark().letter())))
                : Arrays.stream(RunMark.values())
                        .filter(mark -> cell.count(mark) > 0)
                        .map(mark -> styled(mark, number(cell, mark)));
        return terminal.markup(out, texts.collect(Collectors.joining(" ")));
    }

    private static String number(CalendarCell cell, RunMark mark) {
        return String.format(Locale.ROOT, "%d%c", cell.count(mark), mark.letter());
    }

    private static String styled(RunMark mark, String text) {
        String style =
                switch (mark) {
                    case PASS -> "green";
                    case FAIL -> "bold,red";
                    case UNKNOWN -> "faint";
                };
        return "@|" + style + " " + text + "|@";
    }

    private void printMarkup(String markup) {
        out.println(terminal.styled(out, markup).stripTrailing());
    }
}
