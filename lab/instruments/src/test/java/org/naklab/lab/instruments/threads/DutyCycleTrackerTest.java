package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.DutyCycleLayout;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;

@Timeout(60)
class DutyCycleTrackerTest {
    private static final long MS = 1_000_000;
    private static final long US = 1_000;

    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();
    private final CachedNanoClock clock = new CachedNanoClock();
    private DutyCycleTracker heartbeat;
    private DutyCycleInstrument instrument;

    @BeforeEach
    void open() {
        Path file = directory.resolve("mds.heartbeat");
        heartbeat = DutyCycleTracker.create(file, DutyCycleTracker.DEFAULT_THRESHOLD_NS);
        instrument = attach(file);
    }

    private DutyCycleInstrument attach(Path file) {
        return DutyCycleInstrument.attach(
                "mds", "mds-context", file, DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS, events, clock);
    }

    @AfterEach
    void close() {
        instrument.close();
        heartbeat.close();
    }

    @Test
    void shouldReportAStallAtOnceAndItsExactLengthLater() {
        heartbeat.beat(10 * MS);
        for (long now = 11 * MS; now <= 150 * MS; now += MS) {
            sample(now);
        }
        heartbeat.beat(157 * MS + 3);
        sample(158 * MS);

        assertThat(events.types()).containsExactly(TimelineEventType.STALL_BEGAN, TimelineEventType.STALL);
        TimelineEvent began = events.all().get(0);
        TimelineEvent stall = events.all().get(1);
        assertThat(began.timeNs()).isEqualTo(10 * MS);
        assertThat(began.longDetail("seenNs", 0)).isEqualTo(30 * MS);
        assertThat(stall.timeNs()).isEqualTo(10 * MS);
        assertThat(stall.longDetail("durationNs", 0)).isEqualTo(147 * MS + 3);
        assertThat(instrument.longestGapNs()).isEqualTo(147 * MS + 3);
    }

    @Test
    void shouldReportAStallThatCameAndWentBetweenTwoSamples() {
        heartbeat.beat(10 * MS);
        heartbeat.beat(60 * MS);
        sample(200 * MS - 1 * MS);
        heartbeat.beat(61 * MS);

        assertThat(events.of(TimelineEventType.STALL))
                .extracting(event -> event.longDetail("durationNs", 0))
                .containsExactly(50 * MS);
    }

    @Test
    void shouldStaySilentWhileTheThreadBeatsOrRests() {
        for (long now = MS; now < 500 * MS; now += MS) {
            heartbeat.beat(now);
            heartbeat.callback(now, now + 100 * US);
            sample(now + MS / 2);
        }
        heartbeat.rest();
        sample(10_000 * MS);
        heartbeat.beat(20_000 * MS);
        sample(20_001 * MS);

        assertThat(events.all()).isEmpty();
        assertThat(samples).containsEntry("heartbeat.mds.mds-context.longestGapNs", MS);
        assertThat(instrument.callbacks()).isEqualTo(499);
        assertThat(instrument.longestCallbackNs()).isEqualTo(100 * US);
    }

    @Test
    void shouldReportAStallThatNeverEnds() {
        heartbeat.beat(10 * MS);
        clock.update(1_010 * MS);
        sample(1_009 * MS);
        instrument.close();
        instrument = attach(directory.resolve("mds.heartbeat"));

        TimelineEvent stall = events.of(TimelineEventType.STALL).get(0);
        assertThat(stall.detail("lasting")).isEqualTo(true);
        assertThat(stall.longDetail("durationNs", 0)).isEqualTo(1_000 * MS);
        clock.update(10 * MS);
    }

    @Test
    void shouldReportASlowCallback() {
        heartbeat.callback(5 * MS, 35 * MS);
        heartbeat.callback(40 * MS, 41 * MS);
        sample(42 * MS);

        assertThat(events.types()).containsExactly(TimelineEventType.SLOW_CALLBACK);
        assertThat(events.all().get(0).timeNs()).isEqualTo(5 * MS);
        assertThat(instrument.longestCallbackNs()).isEqualTo(30 * MS);
    }

    @Test
    void shouldTimeEveryCallback() {
        List<Long> ticks = new ArrayList<>(List.of(0L, MS));
        TimedFragmentHandler handler = new TimedFragmentHandler(
                (buffer, offset, length, header) -> Action.COMMIT,
                () -> ticks.remove(0),
                heartbeat,
                new CachedNanoClock());
        Header header = new Header(0, 16);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);

        assertThat(handler.onFragment(buffer, 0, 8, header)).isEqualTo(Action.COMMIT);
        heartbeat.callbacksEnd(100 * US);
        heartbeat.beat(500 * US);
        handler.onFragment(buffer, 0, 8, header);
        heartbeat.callbacksEnd(31 * MS);

        assertThat(instrument.longestCallbackNs()).isEqualTo(30 * MS);
        heartbeat.beat(31 * MS);
        sample(32 * MS);
        assertThat(samples).containsEntry("heartbeat.mds.mds-context.meanCallbackNs", 15_050 * US);
    }

    @Test
    void shouldReadTheClockOnceForEachCallback() {
        List<Long> ticks = new ArrayList<>(List.of(0L, 100 * US));
        TimedFragmentHandler handler = new TimedFragmentHandler(
                (buffer, offset, length, header) -> Action.COMMIT,
                () -> ticks.remove(0),
                heartbeat,
                new CachedNanoClock());
        Header header = new Header(0, 16);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);

        handler.onFragment(buffer, 0, 8, header);
        handler.onFragment(buffer, 0, 8, header);
        heartbeat.callbacksEnd(300 * US);
        heartbeat.callbacksEnd(900 * US);

        assertThat(ticks).isEmpty();
        assertThat(instrument.longestCallbackNs()).isEqualTo(200 * US);
        heartbeat.beat(MS);
        assertThat(instrument.callbacks()).isEqualTo(2);
    }

    @Test
    void shouldNotAllocatePerBeatNorPerSample() {
        long[] now = {MS};
        assertThat(Allocations.bytesOf(10_000, () -> {
                    heartbeat.beat(now[0] += 2 * MS);
                    heartbeat.callback(now[0], now[0] + 2 * MS);
                    instrument.sample(now[0], SampleSink.NONE);
                }))
                .isZero();
    }

    @Test
    void shouldRefuseAFileThatIsNoHeartbeat() throws IOException {
        Path other = directory.resolve("other");
        Files.write(other, new byte[DutyCycleLayout.LENGTH]);
        assertThatThrownBy(() -> attach(other))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("not a heart");
    }

    private void sample(long nowNs) {
        instrument.sample(nowNs, (series, timeNs, value) -> samples.put(series.toString(), value));
    }
}
