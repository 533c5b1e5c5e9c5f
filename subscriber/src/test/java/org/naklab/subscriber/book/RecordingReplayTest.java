package org.naklab.subscriber.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.EventType;
import org.naklab.messaging.OrderEvent;
import org.naklab.messaging.Side;

@Timeout(30)
class RecordingReplayTest {
    @Test
    void shouldHaveTheRecordedTopsOfTheExcerpt() throws IOException {
        Recording excerpt = Recording.parse(resource("message.csv"), resource("orderbook.csv"));

        assertThat(matches(excerpt)).isEqualTo(excerpt.rows().size());
        assertThat(forwardMatches(excerpt)).isEqualTo(excerpt.rows().size());
    }

    @Test
    void shouldHaveTheRecordedTopsOfTheWholeRecording() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("naklab.root"), "naklab.root"));
        Path data = root.resolve("../shared/data/aapl-2012-06-21");
        assumeTrue(Files.isDirectory(data), "no recording at " + data);
        Recording recording = Recording.parse(
                Files.readAllLines(data.resolve("message.csv")), Files.readAllLines(data.resolve("orderbook.csv")));
        int rows = recording.rows().size();

        assertThat(matches(recording)).isGreaterThanOrEqualTo(rows * 95 / 100);
        // Without a look ahead the rows in which an order first seen at its end is the best cannot match.
        assertThat(forwardMatches(recording)).isBetween(rows * 92 / 100, rows - 1);
    }

    @Test
    void shouldShowAnOrderFromWhenItsPriceIsOutOfSight() {
        RecordingReplay replay = new RecordingReplay();
        replay.seed(1, Side.BUY, 100, 5);
        OrderEvent first = add(1, 100, 5);
        OrderEvent better = add(2, 101, 5);
        OrderEvent hiddenLeaves = new OrderEvent().set(EventType.EXECUTE, 1, 0, 9, Side.BUY, 99, 4);
        List<OrderEvent> events = List.of(first, better, hiddenLeaves);
        events.forEach(replay::scout);

        replay.replay(first);
        assertThat(levels(replay)).isEqualTo("100x5 99x4 ");

        replay.replay(better);
        replay.replay(hiddenLeaves);
        assertThat(levels(replay)).isEqualTo("101x5 100x5 ");
        assertThat(replay.books().unknownOrders()).isZero();
    }

    @Test
    void shouldNotDoubleWhatTheInitialLevelsHold() {
        RecordingReplay replay = new RecordingReplay();
        replay.seed(1, Side.BUY, 101, 7);
        replay.seed(1, Side.BUY, 100, 5);
        OrderEvent first = new OrderEvent().set(EventType.HIDDEN_TRADE, 1, 0, 0, Side.BUY, 101, 1);
        OrderEvent leaves = new OrderEvent().set(EventType.DELETE, 1, 0, 9, Side.BUY, 100, 5);
        List.of(first, leaves).forEach(replay::scout);

        replay.replay(first);
        assertThat(levels(replay)).isEqualTo("101x7 100x5 ");
        replay.replay(leaves);
        assertThat(levels(replay)).isEqualTo("101x7 ");
    }

    @Test
    void shouldRefuseToScoutDuringTheReplay() {
        RecordingReplay replay = new RecordingReplay();
        replay.replay(add(1, 100, 5));

        assertThatThrownBy(() -> replay.scout(add(2, 100, 5))).isInstanceOf(IllegalStateException.class);
    }

    private static int matches(Recording recording) {
        RecordingReplay replay = new RecordingReplay();
        recording.seedFirstRow(replay::seed);
        recording.events().forEach(replay::scout);
        int matches = 0;
        for (int i = 0; i < recording.events().size(); i++) {
            replay.replay(recording.events().get(i));
            matches += recording.topIs(i, replay.books()) ? 1 : 0;
        }
        return matches;
    }

    private static int forwardMatches(Recording recording) {
        OrderBooks books = new OrderBooks();
        recording.seedFirstRow(books::seed);
        int matches = 0;
        for (int i = 0; i < recording.events().size(); i++) {
            if (i == 0) {
                books.adopt(recording.events().get(i));
            } else {
                books.apply(recording.events().get(i));
            }
            matches += recording.topIs(i, books) ? 1 : 0;
        }
        return matches;
    }

    private static OrderEvent add(long orderId, long price, int quantity) {
        return new OrderEvent().set(EventType.ADD, 1, 0, orderId, Side.BUY, price, quantity);
    }

    private static String levels(RecordingReplay replay) {
        StringBuilder levels = new StringBuilder();
        Objects.requireNonNull(replay.books().book(1))
                .copyLevels(Side.BUY, 10, (price, quantity, orders) -> levels.append(price)
                        .append('x')
                        .append(quantity)
                        .append(' '));
        return levels.toString();
    }

    private static List<String> resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(RecordingReplayTest.class.getResourceAsStream(name));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            return lines.lines().toList();
        }
    }
}
