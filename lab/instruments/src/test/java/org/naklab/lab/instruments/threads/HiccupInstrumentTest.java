package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.IntervalRing;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.testing.Await;

@Timeout(60)
class HiccupInstrumentTest {
    private static final long MS = 1_000_000;

    private final EventLog events = new EventLog();
    private final IntervalRing log = new IntervalRing(new UnsafeBuffer(new byte[IntervalRing.LENGTH]), 0);

    @Test
    void shouldReportATimerThatFiresLate() {
        long[] now = {0};
        HiccupAgent agent = new HiccupAgent(() -> now[0], log, MS);
        agent.onStart();
        HiccupInstrument instrument = HiccupInstrument.over(log, agent, 20 * MS, events);
        wakeAt(agent, now, 10 * MS + 50_000);
        wakeAt(agent, now, 170 * MS);
        wakeAt(agent, now, 180 * MS + 2 * MS);
        instrument.sample(190 * MS, SampleSink.NONE);

        assertThat(events.types()).containsExactly(TimelineEventType.TIMER_LATE);
        assertThat(events.all().get(0).timeNs()).isEqualTo(20 * MS);
        assertThat(events.all().get(0).longDetail("latenessNs", 0)).isEqualTo(150 * MS);
        assertThat(instrument.longestNs()).isEqualTo(150 * MS);
        assertThat(log.count()).isEqualTo(2);
    }

    @Test
    void shouldNotReportATimerThatFiresInTime() {
        long[] now = {0};
        HiccupAgent agent = new HiccupAgent(() -> now[0], log, MS);
        agent.onStart();
        HiccupInstrument instrument = HiccupInstrument.over(log, agent, 20 * MS, events);
        for (int ms = 10; ms < 1_000; ms += 10) {
            wakeAt(agent, now, ms * MS + 80_000);
            instrument.sample(now[0], SampleSink.NONE);
        }
        assertThat(events.all()).isEmpty();
        assertThat(instrument.longestNs()).isEqualTo(80_000);
    }

    @Test
    void shouldMeasureOnAThreadOfItsOwn() {
        HiccupInstrument instrument =
                HiccupInstrument.start(HiccupInstrument.DEFAULT_THRESHOLD_NS, events, SystemNanoClock.INSTANCE);
        Await.until("timer fired", () -> instrument.longestNs() > 0);
        instrument.close();
        assertThat(events.types()).doesNotContain(TimelineEventType.INSTRUMENT_BLIND);
    }

    /** Its thread may not run, or may have died. */
    @Test
    void shouldSayUntilWhenItsTimerFired() {
        long[] now = {5 * MS};
        HiccupAgent agent = new HiccupAgent(() -> now[0], log, MS);
        HiccupInstrument instrument = HiccupInstrument.over(log, agent, 20 * MS, events);
        assertThat(instrument.reachedNs(900 * MS)).isEqualTo(5 * MS);
        agent.onStart();
        wakeAt(agent, now, 30 * MS);
        now[0] = 800 * MS;
        assertThat(instrument.reachedNs(900 * MS)).isEqualTo(30 * MS);
    }

    private static void wakeAt(HiccupAgent agent, long[] now, long timeNs) {
        now[0] = timeNs;
        assertThat(agent.doWork()).isEqualTo(1);
    }
}
