package org.naklab.lab.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Draws a recording of a terminal as a moving SVG. Each line of a recording is the time in seconds, a tab, and what was printed. Needs no other
 * class, because {@code .ci/picture} starts it from its source.
 */
final class TerminalPicture {
    private static final int COLUMNS = 112;
    private static final int ROWS = 22;
    private static final double COLUMN_PX = 7.8;
    private static final int ROW_PX = 18;
    private static final int MARGIN_PX = 14;
    private static final double REST_SECONDS = 8;

    /** A row on the screen, from a time on. */
    record Row(double seconds, String text) {}

    private TerminalPicture() {}

    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[1]), draw(Files.readAllLines(Path.of(arguments[0]))));
    }

    /** Returns the picture of a recording. */
    static String draw(List<String> recording) {
        List<Row> rows = rows(recording);
        double lengthSeconds = rows.get(rows.size() - 1).seconds() + REST_SECONDS;
        int widthPx = (int) (COLUMNS * COLUMN_PX) + 2 * MARGIN_PX;
        int heightPx = ROWS * ROW_PX + 2 * MARGIN_PX;
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
                <title>naklab watch on a program that was stopped</title>
                <rect width="100%%" height="100%%" rx="8" fill="#10151c"/>
                <svg y="%3$d" width="%1$d" height="%4$d" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#d7dee8">
                <g>
                """.formatted(widthPx, heightPx, MARGIN_PX, ROWS * ROW_PX));
        svg.append(scrolling(rows, lengthSeconds));
        for (int i = 0; i < rows.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\"%s>%s%s</text>%n",
                    MARGIN_PX,
                    (i + 1) * ROW_PX - 5,
                    rows.get(i).text().startsWith("$ ") ? " fill=\"#7ee787\"" : "",
                    escaped(rows.get(i).text()),
                    appearance(rows.get(i).seconds() / lengthSeconds, lengthSeconds)));
        }
        return svg.append("</g>\n</svg>\n</svg>\n").toString();
    }

    /** Splits the lines at the width of the screen, between words, as the tool indents what it continues. */
    static List<Row> rows(List<String> recording) {
        List<Row> rows = new ArrayList<>();
        for (String line : recording) {
            String[] parts = line.split("\t", 2);
            double seconds = Double.parseDouble(parts[0]);
            String rest = parts[1];
            while (rest.length() > COLUMNS) {
                int blank = rest.lastIndexOf(' ', COLUMNS);
                int end = blank > COLUMNS / 2 ? blank : COLUMNS;
                rows.add(new Row(seconds, rest.substring(0, end)));
                rest = "      " + rest.substring(end).stripLeading();
            }
            rows.add(new Row(seconds, rest));
        }
        return rows;
    }

    /** Viewers without animation show all that fits, from the first row. */
    private static String appearance(double share, double lengthSeconds) {
        return share == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "<animate attributeName=\"visibility\" values=\"hidden;visible\" keyTimes=\"0;%.4f\" calcMode=\"discrete\""
                                + " dur=\"%.2fs\" repeatCount=\"indefinite\"/>",
                        share,
                        lengthSeconds);
    }

    private static String scrolling(List<Row> rows, double lengthSeconds) {
        if (rows.size() <= ROWS) {
            return "";
        }
        List<Integer> later = new ArrayList<>();
        for (int i = ROWS; i < rows.size(); i++) {
            later.add(i);
        }
        String offsets =
                later.stream().map(i -> "0 -" + (i - ROWS + 1) * ROW_PX).collect(Collectors.joining(";", "0 0;", ""));
        String times = later.stream()
                .map(i -> String.format(Locale.ROOT, "%.4f", rows.get(i).seconds() / lengthSeconds))
                .collect(Collectors.joining(";", "0;", ""));
        return String.format(
                Locale.ROOT,
                "<animateTransform attributeName=\"transform\" type=\"translate\" values=\"%s\" keyTimes=\"%s\" calcMode=\"discrete\""
                        + " dur=\"%.2fs\" repeatCount=\"indefinite\"/>%n",
                offsets,
                times,
                lengthSeconds);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
