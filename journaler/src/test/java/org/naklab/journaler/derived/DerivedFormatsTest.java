package org.naklab.journaler.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.TestFeed;
import org.naklab.journaler.TreeBooks;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;

/** What is derived from a journal, read back by other means and compared with the events and the books. */
@Timeout(60)
class DerivedFormatsTest {
    private static final long SEED = 31;
    private static final int EVENTS = 3000;
    private static final RollPolicy SMALL = new RollPolicy(8_000, TimeUnit.MILLISECONDS.toNanos(1));

    private final List<OrderEvent> events = TestFeed.events(SEED, EVENTS);

    @TempDir
    Path temporary;

    private Path journal = Path.of("journal");
    private Path output = Path.of("output");

    @BeforeEach
    void writeJournal() {
        journal = temporary.resolve("journal");
        output = temporary.resolve("output");
        TestFeed.writeWhole(journal, SEED, EVENTS);
    }

    @Test
    void shouldWriteARowForEachChangeOfTheBestLevels() throws IOException {
        JournalExporter.Export export = JournalExporter.exportCsv(journal, output, new TreeBooks(), SMALL);

        TreeBooks books = new TreeBooks();
        Map<Integer, String> lastByInstrument = new HashMap<>();
        List<String> expected = new ArrayList<>();
        for (OrderEvent event : events) {
            books.apply(event);
            String best = best(books, event.instrumentId);
            if (!best.equals(lastByInstrument.getOrDefault(event.instrumentId, ",,,"))) {
                expected.add(timestamps(event) + "," + event.instrumentId + "," + best);
                lastByInstrument.put(event.instrumentId, best);
            }
        }
        List<String> rows = rows("top-of-book", "bid_price", 8);
        assertThat(rows).isEqualTo(expected);
        assertThat(export.events()).isEqualTo(EVENTS);
        assertThat(export.trailerSeen()).isTrue();
        assertThat(export.records())
                .isEqualTo(rows.size() + rows("trades", "price", 9).size());
        assertThat(export.files())
                .isEqualTo(files("top-of-book").size() + files("trades").size())
                .isGreaterThan(4);
    }

    @Test
    void shouldWriteARowForEachTrade() throws IOException {
        JournalExporter.exportCsv(journal, output, new TreeBooks());

        List<String> expected = events.stream()
                .filter(event -> event.type == EventType.EXECUTE || event.type == EventType.HIDDEN_TRADE)
                .map(event -> timestamps(event) + "," + event.instrumentId + "," + decimal(event.price) + ","
                        + event.quantity + "," + event.side + "," + event.orderId + ","
                        + (event.type == EventType.EXECUTE ? "VISIBLE" : "HIDDEN"))
                .toList();
        assertThat(rows("trades", "liquidity", 9)).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void shouldWriteASurveillanceRecordForEachEvent() throws IOException {
        JournalExporter.Export export = JournalExporter.exportSurveillance(journal, output, new TreeBooks(), SMALL);

        TreeBooks books = new TreeBooks();
        List<SurveillanceRecord> expected = new ArrayList<>();
        for (OrderEvent event : events) {
            books.apply(event);
            expected.add(surveillanceRecord(event, books));
        }
        List<SurveillanceRecord> read = new ArrayList<>();
        for (Path file : files("surveillance")) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(SMALL.maxBytes());
            read.addAll(readSurveillance(file));
        }
        assertThat(read).isEqualTo(expected);
        assertThat(export.files()).isGreaterThan(EVENTS * 88 / 8_000);
    }

    @Test
    void shouldDetectChangedAndCutSurveillanceFiles() throws IOException {
        JournalExporter.exportSurveillance(journal, output, new TreeBooks(), RollPolicy.DEFAULT);
        Path file = files("surveillance").get(0);
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.setLength(16 + 88 * 5 + 40);
        }
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> readSurveillance(file))
                .withMessage(file + " is cut short: it ends within record 5");
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(16 + 88 * 3 + 33);
            access.write(0xFF);
        }
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> readSurveillance(file))
                .withMessage(file + " is corrupt: record 3 does not match its checksum");
        Path other = Files.writeString(temporary.resolve("other.surv"), "not a surveillance file");
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> SurveillanceReader.open(other))
                .withMessageContaining("is not a surveillance file");
    }

    @Test
    void shouldNotExportAJournalThatIsOutOfOrder() {
        Path broken = temporary.resolve("broken");
        List<TestFeed.Message> messages = new TestFeed().messages(SEED, 2);
        TestFeed.writeUnchecked(broken, List.of(messages.get(1), messages.get(0)));

        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(() -> JournalExporter.exportCsv(broken, output, new TreeBooks()))
                .withMessageContaining("event 1 follows event 2");
    }

    private List<String> rows(String prefix, String column, int columns) throws IOException {
        List<String> rows = new ArrayList<>();
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        for (Path file : files(prefix)) {
            try (CSVParser parser = CSVParser.parse(Files.newBufferedReader(file), format)) {
                assertThat(parser.getHeaderNames()).hasSize(columns).contains(column);
                for (CSVRecord csvRecord : parser) {
                    rows.add(String.join(",", csvRecord.values()));
                }
            }
            assertThat(Files.readString(file)).endsWith("\r\n");
        }
        return rows;
    }

    private List<Path> files(String prefix) throws IOException {
        try (var files = Files.list(output)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted((a, b) -> number(a).compareTo(number(b)))
                    .toList();
        }
    }

    private static String number(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('-'));
    }

    private static List<SurveillanceRecord> readSurveillance(Path file) {
        List<SurveillanceRecord> records = new ArrayList<>();
        try (SurveillanceReader reader = SurveillanceReader.open(file)) {
            SurveillanceRecord next = reader.next();
            while (next != null) {
                records.add(next);
                next = reader.next();
            }
        }
        return records;
    }

    private static SurveillanceRecord surveillanceRecord(OrderEvent event, TreeBooks books) {
        int instrument = event.instrumentId;
        boolean hasBid = books.hasBid(instrument);
        boolean hasAsk = books.hasAsk(instrument);
        return new SurveillanceRecord(
                event.sequence,
                new SurveillanceRecord.Times(
                        TestFeed.START_NS + 1000 * (event.sequence - 1), event.exchangeTimestampNs),
                new SurveillanceRecord.Order(
                        instrument, event.orderId, event.type, event.side, event.price, event.quantity),
                new SurveillanceRecord.Best(
                        hasBid,
                        hasBid ? books.bestBidPrice(instrument) : 0,
                        hasBid ? books.bestBidQuantity(instrument) : 0),
                new SurveillanceRecord.Best(
                        hasAsk,
                        hasAsk ? books.bestAskPrice(instrument) : 0,
                        hasAsk ? books.bestAskQuantity(instrument) : 0));
    }

    private static String best(TreeBooks books, int instrument) {
        String bid = books.hasBid(instrument)
                ? decimal(books.bestBidPrice(instrument)) + "," + books.bestBidQuantity(instrument)
                : ",";
        String ask = books.hasAsk(instrument)
                ? decimal(books.bestAskPrice(instrument)) + "," + books.bestAskQuantity(instrument)
                : ",";
        return bid + "," + ask;
    }

    private static String timestamps(OrderEvent event) {
        return event.sequence + "," + (TestFeed.START_NS + 1000 * (event.sequence - 1)) + ","
                + event.exchangeTimestampNs;
    }

    private static String decimal(long price) {
        return BigDecimal.valueOf(price, 4).toPlainString();
    }
}
