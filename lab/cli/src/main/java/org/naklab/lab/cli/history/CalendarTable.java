package org.naklab.lab.cli.history;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.runs.calendar.Calendar;
import org.naklab.lab.runs.history.History.DayCount;
import org.naklab.lab.runs.history.RunMark;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
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

    void print(Calendar<DayCount> calendar) {
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

    private void print(Calendar.Section<DayCount> section) {
        printMarkup("@|bold " + section.scenario() + "|@");
        List<Calendar.Day<DayCount>> shown = section.days().stream().limit(days).toList();
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
    private Table columns(List<String> remedies, List<Calendar.Day<DayCount>> shown) {
        Align[] left = new Align[1 + remedies.size()];
        Arrays.fill(left, Align.LEFT);
        Table table = new Table(terminal, out, left);
        table.head(Stream.concat(Stream.of("day"), remedies.stream()).toArray(String[]::new));
        for (Calendar.Day<DayCount> day : shown) {
            table.row(Stream.concat(
                            Stream.of(terminal.plain(out, day.day())),
                            day.cells().stream().map(this::cell))
                    .toArray(Text[]::new));
        }
        return table;
    }

    /** Returns a table with a line per remedy, for terminals on which the columns do not fit. */
    private Table lines(List<String> remedies, List<Calendar.Day<DayCount>> shown) {
        Table table = new Table(terminal, out, Align.LEFT, Align.LEFT, Align.LEFT);
        for (Calendar.Day<DayCount> day : shown) {
            String head = day.day();
            for (int i = 0; i < remedies.size(); i++) {
                List<DayCount> cell = day.cells().get(i);
                if (!cell.isEmpty()) {
                    table.row(terminal.plain(out, head), terminal.plain(out, remedies.get(i)), cell(cell));
                    head = "";
                }
            }
        }
        return table;
    }

    /** Returns a letter for each run, or how many runs of each verdict there are. */
    private Text cell(List<DayCount> cell) {
        if (cell.isEmpty()) {
            return terminal.markup(out, "@|faint .|@");
        }
        boolean hasLetters = cell.stream().mapToLong(DayCount::runs).sum() <= MAX_LETTERS;
        return terminal.markup(
                out,
                cell.stream()
                        .sorted(Comparator.comparing(DayCount::mark))
                        .map(count -> hasLetters ? letters(count) : styled(count.mark(), number(count)))
                        .collect(Collectors.joining(" ")));
    }

    private static String letters(DayCount count) {
        String letter = styled(count.mark(), String.valueOf(count.mark().letter()));
        return String.join(" ", Collections.nCopies(Math.toIntExact(count.runs()), letter));
    }

    private static String number(DayCount count) {
        return String.format(Locale.ROOT, "%d%c", count.runs(), count.mark().letter());
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
