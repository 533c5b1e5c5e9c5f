package org.naklab.lab.cli.history;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.runs.history.Calendar;
import org.naklab.lab.runs.history.CalendarCell;
import org.naklab.lab.runs.history.RunColour;
import org.naklab.lab.runs.history.RunRow;

/** The calendar on a terminal: a letter a run, in its colour. */
final class CalendarTable {
    /** Letters in a cell; of more runs, the numbers. */
    private static final int MAX_LETTERS = 10;

    private static final int DAY_WIDTH = 12;
    private static final int INDENT = 2;
    private static final int GAP = 2;

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
        for (RunColour colour : RunColour.values()) {
            say("  " + styled(colour, String.valueOf(colour.letter())).markup() + "  " + colour.meaning());
        }
        out.println("  Days in UTC.");
    }

    private void print(Calendar.Section section) {
        say("@|bold " + section.scenario() + "|@");
        List<Calendar.Day> shown = section.days().stream().limit(days).toList();
        int[] widths = widths(section.remedies(), shown);
        if (INDENT + DAY_WIDTH + IntStream.of(widths).sum() <= terminal.columns(out)) {
            printColumns(section.remedies(), shown, widths);
        } else {
            printLines(section.remedies(), shown);
        }
        int left = section.days().size() - days;
        if (left > 0) {
            out.println("  and " + left + (left == 1 ? " earlier day" : " earlier days") + " (--days)");
        }
        out.println();
    }

    private static int[] widths(List<String> remedies, List<Calendar.Day> shown) {
        return IntStream.range(0, remedies.size())
                .map(i -> GAP
                        + shown.stream()
                                .mapToInt(day -> Text.of(day.cells().get(i)).width())
                                .reduce(remedies.get(i).length(), Math::max))
                .toArray();
    }

    /** A column a remedy. */
    private void printColumns(List<String> remedies, List<Calendar.Day> shown, int[] widths) {
        StringBuilder head = new StringBuilder("@|faint   " + Text.plain("day").padded(DAY_WIDTH));
        for (int i = 0; i < widths.length; i++) {
            head.append(Text.plain(remedies.get(i)).padded(widths[i]));
        }
        say(head + "|@");
        for (Calendar.Day day : shown) {
            StringBuilder line = new StringBuilder("  " + Text.plain(day.day()).padded(DAY_WIDTH));
            for (int i = 0; i < widths.length; i++) {
                line.append(Text.of(day.cells().get(i)).padded(widths[i]));
            }
            say(line.toString());
        }
    }

    /** A line a remedy, where the columns would not fit; those of a day under each other. */
    private void printLines(List<String> remedies, List<Calendar.Day> shown) {
        int width = GAP + remedies.stream().mapToInt(String::length).max().orElse(0);
        for (Calendar.Day day : shown) {
            String head = day.day();
            for (int i = 0; i < remedies.size(); i++) {
                CalendarCell cell = day.cells().get(i);
                if (!cell.runs().isEmpty()) {
                    say("  " + Text.plain(head).padded(DAY_WIDTH)
                            + Text.plain(remedies.get(i)).padded(width)
                            + Text.of(cell).markup());
                    head = "";
                }
            }
        }
    }

    /**
     * Something of a line.
     *
     * @param width of it as it is seen, without its markup
     */
    private record Text(String markup, int width) {
        static Text plain(String text) {
            return new Text(text, text.length());
        }

        /** A letter a run, or how many there are of each. */
        static Text of(CalendarCell cell) {
            List<RunRow> runs = cell.runs();
            if (runs.isEmpty()) {
                return new Text("@|faint .|@", 1);
            }
            return runs.size() <= MAX_LETTERS
                    ? joined(runs.stream()
                            .map(run -> styled(
                                    run.colour(), String.valueOf(run.colour().letter())))
                            .toList())
                    : joined(Arrays.stream(RunColour.values())
                            .filter(colour -> cell.count(colour) > 0)
                            .map(colour -> styled(colour, number(cell, colour)))
                            .toList());
        }

        private static Text joined(List<Text> texts) {
            return new Text(
                    texts.stream().map(Text::markup).collect(Collectors.joining(" ")),
                    texts.stream().mapToInt(Text::width).sum() + texts.size() - 1);
        }

        String padded(int to) {
            return markup + " ".repeat(Math.max(1, to - width));
        }
    }

    private static String number(CalendarCell cell, RunColour colour) {
        return String.format(Locale.ROOT, "%d%c", cell.count(colour), colour.letter());
    }

    private static Text styled(RunColour colour, String text) {
        String style = colour == RunColour.GREY ? "faint" : "bold," + colour.label();
        return new Text("@|" + style + " " + text + "|@", text.length());
    }

    private void say(String markup) {
        out.println(terminal.styled(out, markup).stripTrailing());
    }
}
