package org.naklab.lab.cli.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.exchange.OrderFlows;
import org.naklab.exchange.flow.OrderFlow;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.lobster.BookLevel;
import org.naklab.exchange.lobster.LobsterBook;
import org.naklab.lab.core.LabException;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.testing.TestFiles;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BookPrinterTest {
    private static final int BEST_COLUMNS = 4;

    @TempDir
    private Path directory;

    @Test
    void shouldHaveLobstersBestBidAndOfferInEachRow() throws IOException {
        Path truth = TestFiles.aaplOrderBook(directory);
        List<String> rows = print(new BookPrinter(TestFiles.aaplMessages(directory), truth, null, 10));
        assertThat(best(rows)).isEqualTo(best(Files.readAllLines(truth)));
        assertThat(rows.get(0)).isEqualTo(Files.readAllLines(truth).get(0));
    }

    @Test
    void shouldReturnTheBookAfterAnEvent() throws IOException {
        Path truth = TestFiles.aaplOrderBook(directory);
        BookPrinter printer = new BookPrinter(TestFiles.aaplMessages(directory), truth, null, 2);
        List<String> rows = print(printer);

        for (int event : new int[] {1, 7, rows.size()}) {
            BookState book = printer.after(event);
            assertThat(book.events()).isEqualTo(event);
            String[] row = rows.get(event - 1).split(",", -1);
            assertThat(book.asks()).extracting(BookLevel::price).containsExactly(price(row, 0), price(row, 4));
            assertThat(book.bids()).extracting(BookLevel::price).containsExactly(price(row, 2), price(row, 6));
        }
        assertThat(printer.after(Long.MAX_VALUE)).isEqualTo(printer.after(rows.size()));
    }

    private static long price(String[] row, int column) {
        return Long.parseLong(row[column]);
    }

    /** A file of ten levels is silent about what happens outside them; a book that takes silence for rest goes wrong. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldBeNearerTheTruthThanTheFileAlone(long seed) throws IOException {
        ShallowFile file = ShallowFile.write(directory, seed, 10, 20_000);
        List<String> truth = Files.readAllLines(file.orderBook());
        long inferred = exactRows(truth, print(new BookPrinter(file.messages(), file.orderBook(), null, 10)));
        long believed = exactRows(truth, believe(file));
        assertThat(inferred).as("exact rows of %d, seed %d", truth.size(), seed).isGreaterThan(believed);
        assertThat(inferred).isGreaterThan(truth.size() * 3L / 4);
    }

    @Test
    void shouldPrintEmptyLevelsAsLobsterDoes() throws IOException {
        Path file = Files.writeString(directory.resolve("two.csv"), "1.0,1,11,100,1000000,1\n2.0,3,11,100,1000000,1\n");
        assertThat(print(new BookPrinter(file, null, null, 2)))
                .containsExactly(
                        "9999999999,0,1000000,100,9999999999,0,-9999999999,0",
                        "9999999999,0,-9999999999,0,9999999999,0,-9999999999,0");
    }

    @Test
    void shouldPrintRowsUpToBadOne() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.csv"), "1.0,1,11,100,1000000,1\n2.0,1,12,-1,1000000,1\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThatThrownBy(() -> new BookPrinter(file, null, null, 1).print(out))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageContaining("row 2");
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("9999999999,0,1000000,100\n");
    }

    @Test
    void shouldRefuseInstrumentThatIsNotThere() {
        Path file = TestFiles.aaplMessages(directory);
        assertThatThrownBy(() -> print(new BookPrinter(file, null, "MSFT", 1)))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("MSFT");
    }

    /** Seeded by the first row and driven by the file's events, nothing more. */
    private static List<String> believe(ShallowFile file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BookRows rows = new BookRows(out, 10);
        OrderBooks books = new OrderBooks();
        LobsterBook.readRow(file.orderBook(), 1)
                .forEach(level -> books.seed(1, level.side(), level.price(), level.quantity()));
        OrderEvent event = new OrderEvent();
        try (OrderFlow flow = OrderFlows.open(file.messages())) {
            for (boolean isFirst = true; flow.next(event); isFirst = false) {
                if (isFirst) {
                    books.adopt(event);
                } else {
                    books.apply(event);
                }
                rows.write(books.book(1));
            }
        }
        rows.flush();
        return out.toString(StandardCharsets.US_ASCII).lines().toList();
    }

    private static long exactRows(List<String> truth, List<String> rows) {
        assertThat(rows).hasSameSizeAs(truth);
        return IntStream.range(0, truth.size())
                .filter(i -> best(truth.get(i)).equals(best(rows.get(i))))
                .count();
    }

    private static List<String> print(BookPrinter printer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        printer.print(out);
        return out.toString(StandardCharsets.US_ASCII).lines().toList();
    }

    private static List<String> best(List<String> rows) {
        return rows.stream().map(BookPrinterTest::best).toList();
    }

    private static String best(String row) {
        return String.join(",", List.of(row.split(",", -1)).subList(0, BEST_COLUMNS));
    }
}
