package org.naklab.lab.runs.calendar;

import java.io.IOException;
import java.nio.file.DirectoryStream;
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
import java.util.Map;
import org.naklab.lab.core.LabException;
import org.naklab.lab.runs.page.Page;

/** The pages that other commands wrote beside the calendar, such as {@code naklab tune --html runs/tune.html}; the newest first. */
final class KeptPages {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private KeptPages() {}

    private record Kept(Path file, Instant written) {}

    /**
     * Returns the name of each page, its relative link and the time at which it was written.
     *
     * @param calendar beside which they are
     * @throws LabException the directory cannot be read
     */
    static List<Map<String, String>> beside(Path calendar) {
        Path directory = calendar.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return List.of();
        }
        List<Kept> pages = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.html")) {
            for (Path file : files) {
                if (!file.equals(calendar) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    pages.add(new Kept(file, Files.getLastModifiedTime(file).toInstant()));
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot list the pages in " + directory + ": " + e.getMessage(), e);
        }
        return pages.stream()
                .sorted(Comparator.comparing(Kept::written).reversed())
                .map(page -> Map.of(
                        "name", page.file().getFileName().toString().replaceFirst("\\.html$", ""),
                        "link", Page.link(calendar, page.file()),
                        "written", MINUTE.format(page.written())))
                .toList();
    }
}
