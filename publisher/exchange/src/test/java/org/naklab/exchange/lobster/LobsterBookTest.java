package org.naklab.exchange.lobster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.Side;

@Timeout(60)
class LobsterBookTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadTenLevelsOfTheSample() throws IOException {
        Path file = directory.resolve("orderbook.csv");
        try (InputStream in = LobsterBookTest.class.getResourceAsStream("aapl-orderbook.csv")) {
            Files.copy(Objects.requireNonNull(in), file);
        }

        assertThat(LobsterBook.readRow(file, 1))
                .hasSize(20)
                .startsWith(new BookLevel(Side.SELL, 5_859_400, 200), new BookLevel(Side.BUY, 5_853_300, 18))
                .endsWith(new BookLevel(Side.SELL, 5_879_000, 500), new BookLevel(Side.BUY, 5_842_700, 300));
        assertThat(LobsterBook.readRow(file, 3)).contains(new BookLevel(Side.BUY, 5_853_100, 18));
        assertThatThrownBy(() -> LobsterBook.readRow(file, 4))
                .isInstanceOf(OrderFlowException.class)
                .hasMessage(file + ": has no row 4, only 3 rows");
    }

    @Test
    void shouldLeaveEmptyLevelsOut() throws IOException {
        Path file = csv("101,5,100,7,9999999999,0,99,8\n9999999999,0,-9999999999,0,9999999999,0,-9999999999,0\n");

        assertThat(LobsterBook.readRow(file, 1))
                .containsExactly(
                        new BookLevel(Side.SELL, 101, 5),
                        new BookLevel(Side.BUY, 100, 7),
                        new BookLevel(Side.BUY, 99, 8));
        assertThat(LobsterBook.readRow(file, 2)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "101,5,100                           | 3 columns, which is not four for each level",
                "101,5,100,7,102,5                   | 6 columns, which is not four for each level",
                "''                                  | 1 columns, which is not four for each level",
                "101,-5,100,7                        | ask 1 size must be at least 0: -5",
                "101,0,100,7                         | ask 1 has price 101 but size 0",
                "9999999999,5,100,7                  | ask 1 has price 9999999999 but size 5",
                "-9999999999,5,100,7                 | ask 1 price must be at least 1: -9999999999",
                "101,5,100.5,7                       | bid 1 price is not a whole number: '100.5'",
                "101,5,100,7,101,5,99,7              | ask 2 is out of place",
                "101,5,100,7,102,5,100,7             | bid 2 is out of place",
                "9999999999,0,100,7,102,5,99,7       | ask 2 is out of place",
            })
    void shouldNameTheRowOfWhatIsWrong(String row, String complaint) throws IOException {
        Path file = csv("101,5,100,7\n" + row + "\n102,5,100,7\n");

        assertThatThrownBy(() -> LobsterBook.readRow(file, 2))
                .isInstanceOf(OrderFlowException.class)
                .hasMessage(file + " row 2: " + complaint);
    }

    @Test
    void shouldNotCountTheNamesOfColumns() throws IOException {
        Path file = csv("ask price 1,ask size 1,bid price 1,bid size 1\n101,5,100,7\n102,5,100,7\n\n");

        assertThat(LobsterBook.readRow(file, 1)).contains(new BookLevel(Side.SELL, 101, 5));
        assertThat(LobsterBook.readRow(file, 2)).contains(new BookLevel(Side.SELL, 102, 5));
        assertThatThrownBy(() -> LobsterBook.readRow(file, 3)).hasMessage(file + ": has no row 3, only 2 rows");
    }

    @Test
    void shouldCountRowsFromOne() {
        assertThatThrownBy(() -> LobsterBook.readRow(directory.resolve("none"), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Path csv(String text) throws IOException {
        return Files.writeString(directory.resolve("orderbook.csv"), text);
    }
}
