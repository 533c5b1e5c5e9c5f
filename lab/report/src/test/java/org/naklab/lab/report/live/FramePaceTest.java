package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FramePaceTest {
    private static final long FRAME_MS = 33;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel = EmbeddedChannel.builder()
            .ticker(ticker)
            .handlers(new FilmSocket(LiveFeed.ofWatch("a service")))
            .build();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** Lets the time pass while nothing runs, then has all that is due done; returns the frames that were sent. */
    private int framesAfter(long ms) {
        ticker.advance(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        int frames = 0;
        for (WebSocketFrame sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            frames += sent instanceof BinaryWebSocketFrame ? 1 : 0;
            sent.release();
        }
        return frames;
    }

    @Test
    void shouldSendThirtyFramesInASecond() {
        int frames = 0;
        for (int ms = 0; ms < 990; ms++) {
            frames += framesAfter(1);
        }
        assertThat(frames).isEqualTo((int) (990 / FRAME_MS));
    }

    @Test
    void shouldNotMakeUpForFramesThatWereMissed() {
        assertThat(framesAfter(FRAME_MS)).isEqualTo(1);
        assertThat(framesAfter(10 * FRAME_MS)).isEqualTo(1);
        assertThat(framesAfter(FRAME_MS)).isEqualTo(1);
    }
}
