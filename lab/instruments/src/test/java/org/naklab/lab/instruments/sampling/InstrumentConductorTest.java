package org.naklab.lab.instruments.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleRing;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

class InstrumentConductorTest {
    private static final long PERIOD_NS = InstrumentConductor.REFRESH_PERIOD_NS;
    private static final long LONGEST_NS = InstrumentConductor.MAX_REFRESH_PERIOD_NS;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final CachedNanoClock cpuClock = new CachedNanoClock();
    private final EventLog events = new EventLog();
    private final List<Long> refreshes = new ArrayList<>();
    private final InstrumentConductor background =
            new InstrumentConductor(clock, cpuClock, new SampleRing(1 << 10), events, List.of(new SlowWriter()));
    private long refreshWallNs;
    private long refreshCpuNs;
    private long writeNs;
    private boolean isRefreshDue;

    @BeforeEach
    void addInstrument() {
        background.add(new SlowInstrument());
    }

    @Test
    void shouldRefreshAtItsPeriod() {
        passTime(PERIOD_NS - 1);
        assertThat(refreshes).isEmpty();
        passTime(1);
        passTime(PERIOD_NS);
        assertThat(refreshes).containsExactly(PERIOD_NS, 2 * PERIOD_NS);
    }

    @Test
    void shouldNotRefreshLessOftenBecauseAWindowTookLongToWrite() {
        writeNs = 60 * LONGEST_NS;
        passTime(PERIOD_NS);
        writeNs = 0;
        passTime(PERIOD_NS);
        assertThat(refreshes).containsExactly(60 * LONGEST_NS + PERIOD_NS, 60 * LONGEST_NS + 2 * PERIOD_NS);
    }

    @Test
    void shouldNotRefreshLessOftenBecauseTheMachineStoodStill() {
        refreshWallNs = 10 * PERIOD_NS;
        for (int i = 0; i < 3; i++) {
            passTime(PERIOD_NS);
        }
        assertThat(refreshes).hasSize(3);
    }

    @Test
    void shouldRefreshLessOftenWhatTakesLongEachTime() {
        refreshCpuNs = PERIOD_NS / 50;
        passTime(PERIOD_NS);
        passTime(PERIOD_NS);
        passTime(10 * PERIOD_NS - 1);
        assertThat(refreshes).hasSize(2);
        passTime(1);
        assertThat(refreshes).hasSize(3);
    }

    @Test
    void shouldNotRefreshLessOftenWhatTookLongOnce() {
        refreshCpuNs = LONGEST_NS;
        passTime(PERIOD_NS);
        refreshCpuNs = 0;
        passTime(PERIOD_NS);
        passTime(PERIOD_NS);
        assertThat(refreshes).hasSize(3);
    }

    @Test
    void shouldRefreshWithinTheLongestPeriodWhateverItTakes() {
        refreshCpuNs = LONGEST_NS;
        passTime(PERIOD_NS);
        passTime(PERIOD_NS);
        passTime(LONGEST_NS - 1);
        assertThat(refreshes).hasSize(2);
        passTime(1);
        assertThat(refreshes).hasSize(3);
    }

    @Test
    void shouldRefreshAtOnceWhatASampleHasShownToHaveChanged() {
        refreshCpuNs = LONGEST_NS;
        passTime(PERIOD_NS);
        passTime(PERIOD_NS);
        isRefreshDue = true;
        passTime(1);
        assertThat(refreshes).hasSize(3);
        passTime(1);
        assertThat(refreshes).as("one that cannot be settled").hasSize(3);
    }

    @Test
    void shouldRefreshBeforeItsPeriodIfItIsAskedTo() {
        background.refreshSoon();
        passTime(1);
        passTime(1);
        assertThat(refreshes).containsExactly(1L);
    }

    /** Who waits for an event must know when all have been handed on. */
    @Test
    void shouldTellUntilWhenAllEventsWereHandedOn() {
        passTime(5);
        assertThat(background.deliveredNs()).isEqualTo(5);
        for (int i = 0; i < 1_001; i++) {
            background.onEvent(new HostEvent.Ended(6, "process", null));
        }
        passTime(5);
        assertThat(background.deliveredNs()).as("one is left").isEqualTo(5);
        passTime(5);
        assertThat(background.deliveredNs()).isEqualTo(15);
        assertThat(events.of(TimelineEventType.PROCESS_ENDED)).hasSize(1_001);
    }

    private void passTime(long ns) {
        clock.advance(ns);
        background.doWork();
    }

    /** Writes a window once, for as long as the test says. */
    private final class SlowWriter implements SampleConsumer {
        @Override
        public void onSample(long timeNs, Series series, long value) {}

        @Override
        public void onProgress(long nowNs) {
            clock.advance(writeNs);
        }

        @Override
        public void close() {}
    }

    private final class SlowInstrument implements Instrument {
        @Override
        public String describe() {
            return "slow";
        }

        @Override
        public void sample(long nowNs, SampleSink sink) {}

        @Override
        public boolean isRefreshDue() {
            return isRefreshDue;
        }

        @Override
        public void refresh(long nowNs) {
            refreshes.add(nowNs);
            clock.advance(refreshWallNs);
            cpuClock.advance(refreshCpuNs);
        }

        @Override
        public void close() {}
    }
}
