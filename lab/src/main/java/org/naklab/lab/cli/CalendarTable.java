package org.naklab.lab.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.naklab.lab.history.Calendar;
import org.naklab.lab.history.CalendarCell;
import org.naklab.lab.history.RunColour;
import org.naklab.lab.history.RunRow;

/** The calendar on a terminal: a letter a run, in its colour. */
final class CalendarTable {
    /** Letters in a cell; of more runs, the numbers. */
    private static final int MAX_LETTERS = 10;

    private static final int DAY_WIDTH = 12;
    private static final int CELL_WIDTH = 24;

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
        say("  " + styled(RunColour.BLUE, "B") + " no NAK   " + styled(RunColour.YELLOW, "Y")
                + " recovery, no NAK of its own   " + styled(RunColour.RED, "R") + " NAK   "
                + styled(RunColour.GREY, "?") + " unknown   days in UTC");
    }

    private void print(Calendar.Section section) {
        say("@|bold " + section.scenario() + "|@");
        say("@|faint   " + pad("day", 3, DAY_WIDTH)
                + section.remedies().stream()
                        .map(remedy -> pad(remedy, remedy.length(), CELL_WIDTH))
                        .collect(Collectors.joining())
                + "|@");
        section.days().stream().limit(days).forEach(this::print);
        int left = section.days().size() - days;
        if (left > 0) {
            out.println("  and " + left + " earlier days (--days)");
        }
        out.println();
    }

    private void print(Calendar.Day day) {
        say("  " + pad(day.day(), day.day().length(), DAY_WIDTH)
                + day.cells().stream().map(CalendarTable::cell).collect(Collectors.joining()));
    }

    private static String cell(CalendarCell cell) {
        List<RunRow> runs = cell.runs();
        if (runs.isEmpty()) {
            return pad("@|faint .|@", 1, CELL_WIDTH);
        }
        if (runs.size() <= MAX_LETTERS) {
            String letters = runs.stream()
                    .map(run -> styled(run.colour(), String.valueOf(run.colour().letter())))
                    .collect(Collectors.joining(" "));
            return pad(letters, runs.size() * 2 - 1, CELL_WIDTH);
        }
        List<RunColour> seen = Arrays.stream(RunColour.values())
                .filter(colour -> cell.count(colour) > 0)
                .toList();
        int width = seen.stream()
                        .mapToInt(colour -> number(cell, colour).length() + 1)
                        .sum()
                - 1;
        return pad(
                seen.stream()
                        .map(colour -> styled(colour, number(cell, colour)))
                        .collect(Collectors.joining(" ")),
                width,
                CELL_WIDTH);
    }

    private static String number(CalendarCell cell, RunColour colour) {
        return String.format(Locale.ROOT, "%d%c", cell.count(colour), colour.letter());
    }

    private static String styled(RunColour colour, String text) {
        String style = colour == RunColour.GREY ? "faint" : "bold," + colour.label();
        return "@|" + style + " " + text + "|@";
    }

    /** @param width of the text as it is seen, without its markup */
    private static String pad(String text, int width, int to) {
        return text + " ".repeat(Math.max(1, to - width));
    }

    private void say(String markup) {
        out.println(terminal.styled(out, markup).stripTrailing());
    }
}
