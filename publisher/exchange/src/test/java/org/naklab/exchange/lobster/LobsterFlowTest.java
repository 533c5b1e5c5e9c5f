package org.naklab.exchange.lobster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.exchange.Flows;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
class LobsterFlowTest {
    @TempDir
    Path directory;

    @Test
    void shouldMapEveryType() throws IOException {
        Path file = csv("""
                34200.004241176,1,16113575,18,5853300,1
                34200.1,2,16113575,8,5853300,1
                34200.25,3,16113575,10,5853300,1
                34201,4,77,100,5860000,-1
                34201.000000001,5,0,50,5855000,-1
                34202.5,6,-1,12000,5854000,-1
                34203.5,7,0,0,-1,-1
                34204.5,7,0,0,0,-1
                34205.5,7,0,0,1,-1
                """);

        assertThat(Flows.drain(LobsterFlow.open(file, 9)))
                .containsExactly(
                        "#0 ADD instrument=9 t=34200004241176ns order=16113575 BUY 18@5853300",
                        "#0 CANCEL_PART instrument=9 t=34200100000000ns order=16113575 BUY 8@5853300",
                        "#0 DELETE instrument=9 t=34200250000000ns order=16113575 BUY 10@5853300",
                        "#0 EXECUTE instrument=9 t=34201000000000ns order=77 SELL 100@5860000",
                        "#0 HIDDEN_TRADE instrument=9 t=34201000000001ns order=0 SELL 50@5855000",
                        "#0 HIDDEN_TRADE instrument=9 t=34202500000000ns order=0 SELL 12000@5854000",
                        "#0 HALT instrument=9 t=34203500000000ns order=0 BUY 0@0",
                        "#0 RESUME instrument=9 t=34204500000000ns order=0 BUY 0@0",
                        "#0 RESUME instrument=9 t=34205500000000ns order=0 BUY 0@0");
    }

    @ParameterizedTest
    @CsvSource({
        "34200.123456789, 34200123456789",
        "34200.999999999, 34200999999999",
        "57599.000000001, 57599000000001",
        "34200.1234567899, 34200123456789",
        "34200.10, 34200100000000",
        "34200., 34200000000000",
        "0.000000001, 1"
    })
    void shouldReadTimeToTheNanosecond(String text, long expectedNs) throws IOException {
        OrderEvent event = new OrderEvent();
        try (LobsterFlow flow = LobsterFlow.open(csv(text + ",1,5,18,100,1\n"))) {
            assertThat(flow.next(event)).isTrue();
        }
        assertThat(event.exchangeTimestampNs).isEqualTo(expectedNs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "34200.1,1,5,18,100             | 5 columns instead of 6",
                "34200.1,1,5,18,100,1,          | 7 columns instead of 6",
                "''                             | 1 column instead of 6",
                "34200.1,1,5,-18,100,1          | size must be at least 1: -18",
                "34200.1,1,5,0,100,1            | size must be at least 1: 0",
                "34200.1,4,5,0,100,1            | size must be at least 1: 0",
                "34200.1,7,0,-1,-1,-1           | size must be at least 0: -1",
                "34200.1,1,5,2147483648,100,1   | size must be at least 1",
                "34200.1,1,5,1e2,100,1          | size is not a whole number: '1e2'",
                "34200.1,1,5,,100,1             | size is not a whole number: ''",
                "34200.1,1,x,18,100,1           | order id is not a whole number: 'x'",
                "34200.1,1,-5,18,100,1          | order id must be at least 0: -5",
                "34200.1,1,5,18,0,1             | price must be at least 1: 0",
                "34200.1,1,5,18,5.5,1           | price is not a whole number: '5.5'",
                "34200.1,0,5,18,100,1           | type must be 1 to 7: 0",
                "34200.1,8,5,18,100,1           | type must be 1 to 7: 8",
                "34200.1,1,5,18,100,2           | direction must be -1 to 1: 2",
                "34200.1,1,5,18,100,0           | direction must be 1 (buy) or -1 (sell): 0",
                "34200.1,7,0,0,2,-1             | price of a halt must be -1 to 1: 2",
                "34199.9,1,5,18,100,1           | time goes backwards",
                "-1.5,1,5,18,100,1              | time is not seconds after midnight: '-1.5'",
                "3.42e4,1,5,18,100,1            | time is not seconds after midnight: '3.42e4'",
                ".5,1,5,18,100,1                | time is not seconds after midnight: '.5'",
                "9999999999.5,1,5,18,100,1      | time is not seconds after midnight",
            })
    void shouldNameTheRowOfWhatIsWrong(String row, String complaint) throws IOException {
        Path file = csv("34200.0,1,1,18,100,1\n34200.0,1,2,18,100,1\n" + row + "\n34201.0,1,3,18,100,1\n");

        assertThatThrownBy(() -> Flows.drain(LobsterFlow.open(file)))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageStartingWith(file + " row 3: ")
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldShowForeignTextSafely() throws IOException {
        Path file = csv("34200.0,1,\u00ff\u0007" + "9".repeat(60) + ",18,100,1\n");

        assertThatThrownBy(() -> Flows.drain(LobsterFlow.open(file)))
                .hasMessage(file + " row 1: order id is not a whole number: '??" + "9".repeat(38) + "…'");
    }

    @Test
    void shouldReadTheSample() throws IOException {
        Path file = directory.resolve("aapl.csv");
        try (InputStream in = LobsterFlowTest.class.getResourceAsStream("aapl-message.csv")) {
            Files.copy(Objects.requireNonNull(in), file);
        }

        assertThat(Flows.drain(LobsterFlow.open(file)))
                .hasSize(50)
                .startsWith("#0 ADD instrument=1 t=34200004241176ns order=16113575 BUY 18@5853300")
                .contains("#0 DELETE instrument=1 t=34200201735987ns order=16113594 BUY 18@5853100");
    }

    @Test
    void shouldReadTheWholeOfTheSharedSample() {
        Path file =
                Path.of(System.getProperty("naklab.root"), "..", "shared", "data", "aapl-2012-06-21", "message.csv");
        assumeThat(file).as("the shared sample is absent").exists();

        assertThat(Flows.count(LobsterFlow.open(file))).isEqualTo(600);
    }

    private Path csv(String text) throws IOException {
        return Files.writeString(directory.resolve("message.csv"), text, StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldAcceptWhatOtherProgramsAddToTheRows() throws IOException {
        String row = "34200.0,1,1,18,100,1\n";
        for (String text : List.of(
                row + "\n",
                "\u00ef\u00bb\u00bf" + row,
                "time,type,order_id,size,price,direction\n" + row,
                "\u00ef\u00bb\u00bfTime,Type,Order ID,Size,Price,Direction\r\n" + row + "\r\n")) {
            assertThat(Flows.drain(LobsterFlow.open(csv(text)))).as(text).hasSize(1);
        }
    }

    @Test
    void shouldCountTheNamesOfColumnsAsARowWhenItNamesWhatIsWrong() throws IOException {
        String names = "time,type,order_id,size,price,direction\n";
        String row = "34200.0,1,1,18,100,1\n";
        assertFails(names + "34200.0,1\n", "row 2: 2 columns instead of 6");
        assertFails(names + names + row, "row 2: time is not seconds after midnight: 'time'");
        assertFails(row + names, "row 2: time is not seconds after midnight: 'time'");
        assertFails("time,type,order id,18,price,direction\n" + row, "row 1: time is not seconds");
        assertFails(row + "\n\n", "row 2: 1 column instead of 6");
        assertFails(row + "\n" + row, "row 2: 1 column instead of 6");
        assertFails("\n", "row 1: 1 column instead of 6");
    }

    private void assertFails(String text, String complaint) throws IOException {
        Path file = csv(text);
        assertThatThrownBy(() -> Flows.drain(LobsterFlow.open(file)))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageContaining(complaint);
    }

    /** A small gzip file can hold a line that fills the memory. */
    @Test
    void shouldRefuseARowLongerThanAnyIs() throws IOException {
        Path file = csv("34200.1,1,1,18,5853300,1\n" + "1".repeat(LobsterFile.MAX_ROW_CHARS + 1));
        assertThatThrownBy(() -> Flows.drain(LobsterFlow.open(file, 9)))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageContaining("is longer than 65536 characters")
                .hasMessageNotContaining("\n");
    }
}
