package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FilmPlayerTest {
    private static final long MS = 1_000_000;
    private static final long BEGIN_NS = 5_000 * MS;

    private final FilmPlayer player = new FilmPlayer(new Film(
            "a run",
            BEGIN_NS,
            BEGIN_NS + 1_000 * MS,
            null,
            List.of(new Strip(
                    "depth",
                    "Depth",
                    "KiB",
                    "",
                    List.of(StripLine.of(
                            "mds",
                            "suspect",
                            StripLine.Kind.LEVEL,
                            new long[] {BEGIN_NS, BEGIN_NS + 300 * MS, BEGIN_NS + 301 * MS},
                            new double[] {1, 7, 2})))),
            List.of(
                    new Film.Scene(BEGIN_NS + 100 * MS, BEGIN_NS + 250 * MS, "STALL", "mds", "silent", Map.of()),
                    new Film.Scene(BEGIN_NS + 300 * MS, BEGIN_NS + 300 * MS, "NAK_SENT", "mds", "asks", Map.of())),
            List.of(new Film.Stalled("mds", "mds-context", BEGIN_NS + 100 * MS, BEGIN_NS + 250 * MS, List.of())),
            new BookMoments(0),
            Map.of("cause", "lock-wait")));

    FilmPlayerTest() {
        player.command(new ViewerCommand(null, null, null, 100, 1_000.0, null, null, null));
    }

    private record Frame(
            boolean isPlaying, double atMs, int first, int count, int stalls, double silentMs, List<Double> maxima) {
        static Frame of(ByteBuffer in) {
            assertThat(in.get()).isEqualTo((byte) FilmPlayer.VERSION);
            assertThat(in.get()).isEqualTo((byte) FilmPlayer.STRIPS);
            boolean isPlaying = in.get() == 1;
            int lines = in.get();
            in.getInt();
            double atMs = in.getDouble();
            in.getDouble();
            int first = (int) in.getDouble();
            in.getDouble();
            assertThat(in.getDouble()).isEqualTo(1_000);
            int count = in.getShort();
            in.getShort();
            int stalls = in.get();
            double silentMs = 0;
            for (int i = 0; i < stalls; i++) {
                in.getShort();
                silentMs = in.getFloat();
            }
            List<Double> maxima = new ArrayList<>();
            for (int i = 0; i < lines * count; i++) {
                in.getFloat();
                maxima.add((double) in.getFloat());
                in.getFloat();
                in.getShort();
            }
            assertThat(in.hasRemaining()).isFalse();
            return new Frame(isPlaying, atMs, first, count, stalls, silentMs, maxima);
        }
    }

    private Frame frame() {
        return Frame.of(player.frame(0));
    }

    @Test
    void shouldSendEachColumnOnceAndThePresentOneAgain() {
        player.advance(95 * MS);
        Frame first = frame();
        assertThat(first.first()).isZero();
        assertThat(first.count()).isEqualTo(10);
        player.advance(20 * MS);
        Frame second = frame();
        assertThat(second.first()).isEqualTo(9);
        assertThat(second.count()).isEqualTo(3);
    }

    /** A viewer that is slow gets fewer frames, and misses no peak. */
    @Test
    void shouldHoldInTheNextFrameWhatWasLeftOut() {
        player.advance(95 * MS);
        frame();
        player.advance(400 * MS);
        assertThat(frame().maxima()).contains(7.0);
    }

    @Test
    void shouldGoAtTheSpeedOfTheViewerAndStopAtTheEnd() {
        player.command(new ViewerCommand(null, 0.5, null, null, null, null, null, null));
        player.advance(100 * MS);
        assertThat(frame().atMs()).isEqualTo(50);
        player.command(new ViewerCommand(false, null, null, null, null, null, null, null));
        player.advance(100 * MS);
        assertThat(frame().atMs()).isEqualTo(50);
        player.command(new ViewerCommand(true, 100.0, null, null, null, null, null, null));
        player.advance(100 * MS);
        assertThat(frame()).extracting(Frame::atMs, Frame::isPlaying).containsExactly(1_000.0, false);
    }

    @Test
    void shouldCountUpWhileAStallLasts() {
        player.advance(212 * MS);
        assertThat(frame()).extracting(Frame::stalls, Frame::silentMs).containsExactly(1, 112.0);
        player.advance(100 * MS);
        assertThat(frame().stalls()).isZero();
    }

    /** The list of stalls has the one that has just begun, or a page does not know whose it is. */
    @Test
    void shouldTellAStallWhenItBegins() {
        player.messages();
        player.advance(120 * MS);
        assertThat(player.messages()).singleElement().satisfies(message -> {
            assertThat(message.get("events")).isEqualTo(List.of());
            assertThat(message.get("stalls")).asString().contains("mds-context");
        });
    }

    @Test
    void shouldSendNoColumnsWhileItIsPaused() {
        player.command(new ViewerCommand(null, null, 500.0, null, null, null, null, null));
        player.command(new ViewerCommand(false, null, null, null, null, null, null, null));
        assertThat(frame().count()).isPositive();
        player.advance(100 * MS);
        assertThat(frame().count()).isZero();
        player.command(new ViewerCommand(null, null, null, null, 200.0, null, null, null));
        assertThat(frame().count()).isEqualTo(100);
    }

    /** Its length is known when it is over. */
    @Test
    void shouldTellAnEventWhenItIsOver() {
        player.advance(200 * MS);
        assertThat(player.messages()).singleElement().satisfies(message -> {
            assertThat(message.get("events")).isEqualTo(List.of());
            assertThat(message.get("stalls")).asString().contains("lengthMs=-1");
        });
        player.advance(60 * MS);
        assertThat(player.messages()).singleElement().satisfies(message -> {
            assertThat(message.get("reset")).isEqualTo(false);
            assertThat(message.get("events")).asString().contains("STALL").doesNotContain("NAK_SENT");
            assertThat(message.get("stalls")).asString().contains("lengthMs=150.0");
        });
        assertThat(player.messages()).isEmpty();
    }

    @Test
    void shouldTellTheStallsOnlyWhenTheyHaveChanged() {
        player.advance(260 * MS);
        assertThat(player.messages()).anySatisfy(message -> assertThat(message).containsKey("stalls"));
        player.advance(50 * MS);
        assertThat(player.messages())
                .singleElement()
                .satisfies(message -> assertThat(message).containsKey("events").doesNotContainKey("stalls"));
    }

    @Test
    void shouldTellAllAgainAfterALeap() {
        player.advance(500 * MS);
        player.messages();
        player.command(new ViewerCommand(null, null, 120.0, null, null, null, null, null));
        assertThat(frame().first()).isZero();
        assertThat(player.messages()).singleElement().satisfies(message -> {
            assertThat(message.get("reset")).isEqualTo(true);
            assertThat(message.get("events")).isEqualTo(List.of());
        });
    }

    @Test
    void shouldKeepTheCauseUntilItIsAskedFor() {
        player.advance(1_000 * MS);
        assertThat(player.messages().toString()).doesNotContain("lock-wait");
        player.command(new ViewerCommand(null, null, null, null, null, true, null, null));
        assertThat(player.messages().toString()).contains("lock-wait");
    }

    @Test
    void shouldRefuseWhatIsOutOfRange() {
        for (ViewerCommand command : List.of(
                new ViewerCommand(null, 0.0, null, null, null, null, null, null),
                new ViewerCommand(null, Double.NaN, null, null, null, null, null, null),
                new ViewerCommand(null, null, -1.0, null, null, null, null, null),
                new ViewerCommand(null, null, 1_001.0, null, null, null, null, null),
                new ViewerCommand(null, null, null, 0, null, null, null, null),
                new ViewerCommand(null, null, null, 1_000_000, null, null, null, null),
                new ViewerCommand(null, null, null, null, 0.001, null, null, null))) {
            assertThatThrownBy(() -> player.command(command))
                    .as(command.toString())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
