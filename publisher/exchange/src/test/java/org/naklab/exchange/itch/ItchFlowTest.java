package org.naklab.exchange.itch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.exchange.Flows;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.messaging.feed.OrderEvent;

@Timeout(60)
class ItchFlowTest {
    private static final long T = 34_200_123_456_789L;

    @TempDir
    Path directory;

    private final ItchBytes bytes = new ItchBytes();

    @Test
    void shouldMapWhatMattersToTheBook() throws IOException {
        bytes.system(1, 'O')
                .directory(13, "AAPL")
                .tradingAction(13, T, "AAPL", 'T')
                .add('A', 13, T + 1, 1L << 40, 'B', 300, "AAPL", 4_000_000_000L)
                .add('F', 13, T + 2, 8, 'S', 200, "AAPL", 5_860_000)
                .execute(13, T + 3, 1L << 40, 100)
                .executeAt(13, T + 4, 8, 50, 5_855_000)
                .cancel(13, T + 5, 1L << 40, 50)
                .replace(13, T + 6, 8, 9, 175, 5_859_900)
                .delete(13, T + 7, 1L << 40)
                .trade(13, T + 8, 'B', 77, "AAPL", 5_857_500)
                .cross(13, T + 9, 12_000, "AAPL", 5_857_700)
                .cross(13, T + 10, 0, "AAPL", 0)
                .execute(13, T + 11, 9, 175)
                .tradingAction(13, T + 12, "AAPL", 'H')
                .tradingAction(13, T + 13, "AAPL", 'Q');

        assertThat(Flows.drain(open()))
                .containsExactly(
                        "#0 RESUME instrument=13 t=34200123456789ns order=0 BUY 0@0",
                        "#0 ADD instrument=13 t=34200123456790ns order=1099511627776 BUY 300@4000000000",
                        "#0 ADD instrument=13 t=34200123456791ns order=8 SELL 200@5860000",
                        "#0 EXECUTE instrument=13 t=34200123456792ns order=1099511627776 BUY 100@4000000000",
                        "#0 EXECUTE instrument=13 t=34200123456793ns order=8 SELL 50@5855000",
                        "#0 CANCEL_PART instrument=13 t=34200123456794ns order=1099511627776 BUY 50@4000000000",
                        "#0 DELETE instrument=13 t=34200123456795ns order=8 SELL 150@5860000",
                        "#0 ADD instrument=13 t=34200123456795ns order=9 SELL 175@5859900",
                        "#0 DELETE instrument=13 t=34200123456796ns order=1099511627776 BUY 150@4000000000",
                        "#0 HIDDEN_TRADE instrument=13 t=34200123456797ns order=0 BUY 77@5857500",
                        "#0 HIDDEN_TRADE instrument=13 t=34200123456798ns order=0 BUY 12000@5857700",
                        "#0 EXECUTE instrument=13 t=34200123456800ns order=9 SELL 175@5859900",
                        "#0 HALT instrument=13 t=34200123456801ns order=0 BUY 0@0",
                        "#0 RESUME instrument=13 t=34200123456802ns order=0 BUY 0@0");
    }

    @Test
    void shouldTurnACancelOfAllIntoADelete() throws IOException {
        bytes.add('A', 1, T, 5, 'B', 30, "X", 100).cancel(1, T, 5, 30);

        assertThat(Flows.drain(open())).last().asString().contains("DELETE").contains("30@100");
    }

    @Test
    void shouldKnowTheStocks() throws IOException {
        bytes.directory(1, "A").directory(13, "AAPL").directory(9_000, "ZVZZT");

        try (ItchFlow flow = open()) {
            assertThat(flow.next(new OrderEvent())).isFalse();
            assertThat(flow.symbols().size()).isEqualTo(3);
            assertThat(flow.symbols().symbol(13)).isEqualTo("AAPL");
            assertThat(flow.symbols().symbol(9_000)).isEqualTo("ZVZZT");
            assertThat(flow.symbols().symbol(2)).isNull();
            assertThat(flow.symbols().symbol(65_535)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRecogniseEveryTypeAtItsLengthOnly(ItchMessageType type) throws IOException {
        byte[] body = new byte[80];
        Arrays.fill(body, (byte) 'X');
        body[0] = (byte) type.code();
        bytes.system(1, 'O').raw(type.length() + 1).rawBytes(body, type.length() + 1);

        assertThatThrownBy(() -> Flows.drain(open()))
                .isInstanceOf(OrderFlowException.class)
                .hasMessage(file() + " offset 14: message type '" + type.code() + "' has " + (type.length() + 1)
                        + " bytes instead of " + type.length());
    }

    @Test
    void shouldReadPastWhatIsNoneOfTheBooksBusiness() throws IOException {
        for (ItchMessageType type : ItchMessageType.values()) {
            if ("SYLVWKJhBINO".indexOf(type.code()) >= 0) {
                bytes.begin(type.code(), 1, T).rawBytes(new byte[0], 0);
                byte[] body = new byte[type.length()];
                body[0] = (byte) type.code();
                bytes.raw(type.length()).rawBytes(body, body.length);
            }
        }
        bytes.add('A', 1, T, 5, 'B', 30, "X", 100);

        assertThat(Flows.drain(open())).hasSize(1);
    }

    @Test
    void shouldReadAcrossBufferBoundaries() throws IOException {
        int orders = 20_000; // over one megabyte: many times the reader's buffer
        for (int order = 1; order <= orders; order++) {
            bytes.add('A', 1, T + order, order, 'B', 30, "X", order);
        }
        for (int order = 1; order <= orders; order++) {
            bytes.delete(1, T + orders + order, order);
        }

        OrderEvent event = new OrderEvent();
        try (ItchFlow flow = open()) {
            for (int i = 0; i < 2 * orders; i++) {
                assertThat(flow.next(event)).isTrue();
                assertThat(event.orderId).isEqualTo(i % orders + 1);
                assertThat(event.price).isEqualTo(i % orders + 1);
            }
            assertThat(flow.next(event)).isFalse();
        }
    }

    @Test
    void shouldNameTheOffsetOfWhatIsWrong() {
        assertBad(b -> b.raw(0).delete(1, T, 5), "a message length of 0");
        assertBad(
                b -> b.raw(36).rawBytes(new byte[35], 35), "a message of 36 bytes reaches beyond the end of the file");
        assertBad(b -> b.raw(65_535), "a message of 65535 bytes reaches beyond the end of the file");
        assertBad(b -> b.rawBytes(new byte[1], 1), "the file ends within a length field");
        assertBad(b -> b.begin('Z', 1, T).end(), "unknown ITCH 5.0 message type 'Z'");
        assertBad(b -> b.begin('\u00fe', 1, T).end(), "unknown ITCH 5.0 message type 0xfe");
        assertBad(b -> b.begin('D', 1, T).u32(5).end(), "message type 'D' has 15 bytes instead of 19");
        assertBad(b -> b.add('A', 1, T, 6, 'X', 30, "X", 100), "unknown side 'X'");
        assertBad(b -> b.add('A', 1, T, 6, 'B', 0, "X", 100), "shares must be 1 to 2147483647: 0");
        assertBad(b -> b.add('A', 1, T, 6, 'B', 3_000_000_000L, "X", 1), "shares must be 1 to 2147483647: 3000000000");
        assertBad(b -> b.add('A', 1, T, 5, 'B', 1, "X", 1), "order 5 is added, but rests already");
        assertBad(b -> b.delete(1, T, 6), "order 6 does not rest; was the file cut at its beginning?");
        assertBad(b -> b.delete(1, T, -1), "order 18446744073709551615 does not rest");
        assertBad(b -> b.execute(1, T, 5, 31), "order 5 is to lose 31 shares, but rests with 30");
        assertBad(b -> b.cross(1, T, 1L << 33, "X", 1), "a cross of 8589934592 shares is more than the feed can carry");
        assertBad(b -> b.tradingAction(1, T, "X", '?'), "unknown trading state '?'");
    }

    @Test
    void shouldEndAtBinaryFilesEndOfSession() throws IOException {
        bytes.add('A', 1, T, 5, 'B', 30, "X", 100).system(T, 'C').raw(0);
        assertThat(Flows.drain(open())).hasSize(1);

        bytes.raw(0);
        assertThatThrownBy(() -> Flows.drain(open())).hasMessageEndingWith("offset 52: a message length of 0");
    }

    /** A recorder that was stopped ends the session before the exchange did. */
    @Test
    void shouldEndAtTheMarkAlthoughMessagesHadNotEnded() throws IOException {
        bytes.add('A', 1, T, 5, 'B', 30, "X", 100).raw(0);
        assertThat(Flows.drain(open())).hasSize(1);
    }

    @Test
    void shouldTellOfTruncatedAndDamagedGzip() throws IOException {
        for (int order = 1; order <= 5_000; order++) {
            bytes.add('A', 1, T, order, 'B', order, "X", order * 31L % 977);
        }
        byte[] whole = gzip(bytes.toByteArray());

        Files.write(file(), whole);
        assertThat(Flows.count(ItchFlow.open(file()))).isEqualTo(5_000);

        Files.write(file(), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> Flows.count(ItchFlow.open(file())))
                .isInstanceOf(OrderFlowException.class)
                .hasMessageMatching(".* offset \\d+: the gzip data ends early \\(truncated file\\)");

        Files.write(file(), Arrays.copyOf(whole, whole.length - 3));
        assertThatThrownBy(() -> Flows.count(ItchFlow.open(file()))).hasMessageContaining("truncated file");

        whole[whole.length / 2] ^= 0x55;
        Files.write(file(), whole);
        assertThatThrownBy(() -> Flows.count(ItchFlow.open(file()))).isInstanceOf(OrderFlowException.class);
    }

    private void assertBad(Consumer<ItchBytes> end, String complaint) {
        ItchBytes bad = new ItchBytes().system(1, 'O').add('A', 1, T, 5, 'B', 30, "X", 100);
        end.accept(bad);

        assertThatThrownBy(() -> {
                    Files.write(file(), bad.toByteArray());
                    Flows.drain(ItchFlow.open(file()));
                })
                .isInstanceOf(OrderFlowException.class)
                .hasMessageStartingWith(file() + " offset 52: " + complaint);
    }

    private ItchFlow open() throws IOException {
        Files.write(file(), bytes.toByteArray());
        return ItchFlow.open(file());
    }

    private Path file() {
        return directory.resolve("day.itch");
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(zipped)) {
            out.write(plain);
        }
        return zipped.toByteArray();
    }
}
