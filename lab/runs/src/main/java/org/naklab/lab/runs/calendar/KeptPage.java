package org.naklab.lab.runs.calendar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.Subdirectories;
import org.naklab.lab.runs.page.Page;

/**
 * Is a page of a tool that was kept beside the runs: {@code <runs>/<tool>/<utc-time>-<subject>/report.html}. The directory has a name as that of a run has, and
 * no record of a run.
 *
 * @param tool the command that wrote it
 * @param startedUtc when it was written, ISO 8601
 * @param subject what it is about, a few letters
 */
public record KeptPage(String tool, String startedUtc, String subject, Path file) {
    private static final String NAME = "report.html";
    private static final String CALENDAR = "index.html";
    private static final int MAX_SUBJECT = 40;
    private static final List<String> TOOLS = List.of("bindings", "buffers", "campaign", "jitter", "libprof", "tune");
    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH-mm-ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final Pattern DIRECTORY =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d)-(\\d\\d)-(\\d\\d\\.\\d{3}Z)-(.+)");

    /**
     * Makes the directory of a new page, and returns the file to be written.
     *
     * @param tool {@code bindings}, {@code buffers}, {@code campaign}, {@code jitter}, {@code libprof} or {@code tune}
     * @param subject what it is about; letters that a link cannot have are replaced
     * @throws LabException it cannot be made
     */
    public static Path create(Path runs, String tool, String subject, Instant now) {
        if (!TOOLS.contains(tool)) {
            throw new IllegalArgumentException("the calendar does not know pages of " + tool);
        }
        String plain = subject.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[-.]+", "");
        String name = plain.isEmpty() ? "page" : plain.substring(0, Math.min(MAX_SUBJECT, plain.length()));
        Path directory = runs.resolve(tool).resolve(UTC.format(now) + "-" + name);
        try {
            return OutputFile.directory(directory).resolve(NAME);
        } catch (IOException e) {
            throw new LabException("cannot make a directory for the page: " + e, e);
        }
    }

    /**
     * Gives a page that was written a link back to the calendar of the runs.
     *
     * @param page the file, as {@link #create} returned it
     * @throws LabException it cannot be read or written
     */
    public static void linkBack(Path runs, Path page) {
        Path file = page.toAbsolutePath().normalize();
        String link = Page.link(file, runs.toAbsolutePath().normalize().resolve(CALENDAR));
        try {
            String text = Files.readString(file);
            Page.write(
                    file,
                    text.replaceFirst(
                            "<body>",
                            "<body>\n<nav aria-label=\"Other pages\"><a href=\"" + link + "\">calendar</a></nav>"));
        } catch (IOException e) {
            throw new LabException("the page " + page + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Finds those below a directory of runs, the latest first. */
    public static List<KeptPage> in(Path runs) {
        List<KeptPage> pages = new ArrayList<>();
        for (String tool : TOOLS) {
            Path directory = runs.resolve(tool);
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                Subdirectories.of(directory).forEach(page -> add(tool, page, pages));
            }
        }
        pages.sort(Comparator.comparing(KeptPage::startedUtc).reversed());
        return List.copyOf(pages);
    }

    private static void add(String tool, Path directory, List<KeptPage> pages) {
        Matcher name = DIRECTORY.matcher(String.valueOf(directory.getFileName()));
        Path file = directory.resolve(NAME);
        if (name.matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            pages.add(
                    new KeptPage(tool, name.group(1) + ":" + name.group(2) + ":" + name.group(3), name.group(4), file));
        }
    }
}
