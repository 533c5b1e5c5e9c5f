package org.naklab.lab.core.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.Units;

/** The text of the kernel's trace in the directory of a run or of a window. */
public final class TraceFile {
    /** The name of the file. */
    public static final String NAME = "window-trace.txt.gz";

    /** More lines than a ring of this size can hold are not read. */
    private static final int MAX_LINES = 2_000_000;

    private static final Pattern LINE = Pattern.compile(
            "\\s*(.+)-(\\d{1,9})\\s+\\[(\\d{1,5})]\\s+\\S+\\s+(\\d{1,9})\\.(\\d{6}): ([\\w<][^:]*?)(?:: (.*)|:)?");

    private static final String STACK = "<stack trace>";
    private static final String FRAME = " => ";

    private TraceFile() {}

    /**
     * Reads a file.
     *
     * @return its events in their order; lines of another form are left out
     * @throws InputException it cannot be read
     */
    public static List<TraceLine> read(Path file) {
        try (Reader reader =
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8)) {
            return read(reader);
        } catch (IOException e) {
            throw new InputException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    static List<TraceLine> read(Reader text) throws IOException {
        BufferedReader reader = new BufferedReader(text);
        List<TraceLine> lines = new ArrayList<>();
        List<String> stack = new ArrayList<>();
        for (int i = 0; i < MAX_LINES; i++) {
            String line = reader.readLine();
            if (line == null) {
                break;
            }
            if (line.startsWith(FRAME)) {
                stack.add(line.substring(FRAME.length()).strip());
                continue;
            }
            endStack(lines, stack);
            TraceLine parsed = parse(line);
            if (parsed != null) {
                lines.add(parsed);
            }
        }
        endStack(lines, stack);
        return lines;
    }

    /** A stack follows the event of the same CPU; the line that announces it is replaced. */
    private static void endStack(List<TraceLine> lines, List<String> stack) {
        if (lines.isEmpty() || !lines.get(lines.size() - 1).event().equals(STACK)) {
            stack.clear();
            return;
        }
        TraceLine announced = lines.remove(lines.size() - 1);
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).cpu() == announced.cpu()) {
                lines.set(i, lines.get(i).withStack(stack));
                break;
            }
        }
        stack.clear();
    }

    private static @Nullable TraceLine parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (line.startsWith("#") || !matcher.matches()) {
            return null;
        }
        String text = matcher.group(7);
        return new TraceLine(
                Long.parseLong(matcher.group(4)) * Units.SECOND_NS + Long.parseLong(matcher.group(5)) * Units.US_NS,
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(2)),
                matcher.group(1).strip(),
                matcher.group(6).strip(),
                text == null ? "" : text,
                List.of());
    }
}
