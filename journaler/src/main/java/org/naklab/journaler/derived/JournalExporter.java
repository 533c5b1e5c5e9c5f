package org.naklab.journaler.derived;

import java.nio.file.Path;
import java.util.List;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalReader;

/** Derives the other formats from a journal that exists, the same files that {@link DerivedWriters} writes alongside it. */
public final class JournalExporter {
    private static final int BATCH_LIMIT = 1024;

    private JournalExporter() {}

    /**
     * Tells what was exported.
     *
     * @param events events of the journal
     * @param missing sequences that the journal leaves out
     * @param trailerSeen whether the journal goes up to the feed's end
     * @param records CSV rows, headers not among them, or surveillance records
     * @param files files written
     */
    public record Export(long events, long missing, boolean trailerSeen, long records, int files) {}

    /**
     * Writes top of book and trades as CSV.
     *
     * @param csvDirectory made when it is missing; files in it are never overwritten
     * @param books empty, or seeded with what rested before the journal's first event
     * @throws JournalException when the journal cannot be read or is out of order, or the files not be written
     */
    public static Export exportCsv(Path journalDirectory, Path csvDirectory, BookView books) {
        return exportCsv(journalDirectory, csvDirectory, books, RollPolicy.DEFAULT);
    }

    /** As {@link #exportCsv(Path, Path, BookView)}, with files of another size or duration. */
    public static Export exportCsv(Path journalDirectory, Path csvDirectory, BookView books, RollPolicy policy) {
        JournalReader reader = JournalReader.open(journalDirectory);
        TopOfBookCsv topOfBook = new TopOfBookCsv(csvDirectory, policy);
        TradesCsv trades = new TradesCsv(csvDirectory, policy);
        run(reader, books, List.of(topOfBook, trades));
        return export(reader, topOfBook.rows() + trades.rows(), topOfBook.files() + trades.files());
    }

    /**
     * Writes the surveillance format.
     *
     * @throws JournalException as {@link #exportCsv(Path, Path, BookView)}
     */
    public static Export exportSurveillance(Path journalDirectory, Path directory, BookView books, RollPolicy policy) {
        JournalReader reader = JournalReader.open(journalDirectory);
        SurveillanceFiles files = new SurveillanceFiles(directory, policy);
        run(reader, books, List.of(files));
        return export(reader, files.records(), files.files());
    }

    private static void run(JournalReader reader, BookView books, List<? extends DerivedSink> sinks) {
        try (DerivedFeed feed = new DerivedFeed(reader, books, sinks)) {
            int records;
            do {
                records = feed.poll(BATCH_LIMIT);
            } while (records > 0);
        }
    }

    private static Export export(JournalReader reader, long records, int files) {
        return new Export(reader.eventsRead(), reader.eventsMissing(), reader.isTrailerRead(), records, files);
    }
}
