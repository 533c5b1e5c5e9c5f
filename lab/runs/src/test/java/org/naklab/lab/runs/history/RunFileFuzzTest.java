package org.naklab.lab.runs.history;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.naklab.lab.runs.calendar.CalendarPage;

/** Whatever lies there as a {@code run.json}, it is a row and a page, or it is refused with a {@link HistoryException}. */
final class RunFileFuzzTest {
    private static final int MAX_PAGE_CHARS = 60_000;

    @FuzzTest(maxDuration = "4s")
    void shouldBeARowAndAPageOrBeRefused(byte[] record) {
        HistoryEntry entry;
        try {
            entry = RunFileReader.of(Path.of("/runs/baseline/run"), record, record);
        } catch (HistoryException e) {
            return;
        }
        String page = CalendarPage.served(
                Path.of("/runs/index.html"),
                new History.Latest(List.of(entry.run()), 1),
                List.of(),
                List.of(),
                Instant.EPOCH);
        if (page.length() > MAX_PAGE_CHARS) {
            throw new AssertionError("a page of " + page.length() + " characters for one run");
        }
    }
}
