package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimerInstrumentTest {
    private static final long MS = 1_000_000;

    private final EventLog events = new EventLog();
    private final EpisodeLog log = new EpisodeLog(new UnsafeBuffer(new byte[EpisodeLog.LENGTH]), 0);

    @Test
    void shouldReportATimerThatFiresLate() {
        long[] now = {0};
        TimerAgent agent = new TimerAgent(() -> now[0], log, MS);
        agent.onStart();
        TimerInstrument instrument = TimerInstrument.over(log, agent, 20 * MS, events);
        wakeAt(agent, now, 4 * MS + 50_000);
        wakeAt(agent, now, 158 * MS);
        wakeAt(agent, now, 160 * MS + 2 * MS);
        instrument.sample(170 * MS, SampleSink.NONE);

        assertThat(events.types()).containsExactly(TimelineEventType.TIMER_LATE);
        assertThat(events.all().get(0).timeNs()).isEqualTo(8 * MS);
        assertThat(events.all().get(0).longDetail("latenessNs", 0)).isEqualTo(150 * MS);
        assertThat(instrument.longestNs()).isEqualTo(150 * MS);
        assertThat(log.count()).isEqualTo(2);
    }

    @Test
    void shouldNotReportATimerThatFiresInTime() {
        long[] now = {0};
        TimerAgent agent = new TimerAgent(() -> now[0], log, MS);
        agent.onStart();
        TimerInstrument instrument = TimerInstrument.over(log, agent, 20 * MS, events);
        for (int ms = 4; ms < 1_000; ms += 4) {
            wakeAt(agent, now, ms * MS + 80_000);
            instrument.sample(now[0], SampleSink.NONE);
        }
        assertThat(events.all()).isEmpty();
        assertThat(instrument.longestNs()).isEqualTo(80_000);
    }

    @Test
    void shouldMeasureOnAThreadOfItsOwn() {
        TimerInstrument instrument =
                TimerInstrument.start(TimerInstrument.DEFAULT_THRESHOLD_NS, events, SystemNanoClock.INSTANCE);
        Await.until("timer fired", () -> instrument.longestNs() > 0);
        instrument.close();
        assertThat(events.types()).doesNotContain(TimelineEventType.INSTRUMENT_BLIND);
    }

    @Test
    void shouldNotHandItsPriorityOnToThreadsThatItStarts() throws Exception {
        RealTimeThreads threads = new RealTimeThreads();
        AtomicReference<String> child = new AtomicReference<>("");
        Thread thread = threads.newThread(() -> {
            Thread started = new Thread(() -> child.set(policyOfCallingThread()));
            started.start();
            try {
                started.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        thread.join();

        assertThat(child.get()).isEqualTo("0");
        assertThat(policyOfCallingThread()).isEqualTo("0");
    }

    /** Field 41 of {@code stat}: 0 for a normal thread. */
    private static String policyOfCallingThread() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[38];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void wakeAt(TimerAgent agent, long[] now, long timeNs) {
        now[0] = timeNs;
        assertThat(agent.doWork()).isEqualTo(1);
    }
}
