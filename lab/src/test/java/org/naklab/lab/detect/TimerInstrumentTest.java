package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimerInstrumentTest {
    private static final long MS = 1_000_000;

    private final EventLog events = new EventLog();
    private final WakeUps wakeUps = new WakeUps();

    @Test
    void shouldReportATimerThatFiresLate() {
        TimerInstrument instrument = instrument();
        wakeUps.awoke(1 * MS, 1 * MS + 50_000);
        wakeUps.awoke(2 * MS, 152 * MS);
        wakeUps.awoke(153 * MS, 155 * MS);
        instrument.sample(160 * MS, SampleSink.NONE);

        assertThat(events.types()).containsExactly(TimelineEventType.TIMER_LATE);
        assertThat(events.all().get(0).timeNs()).isEqualTo(2 * MS);
        assertThat(events.all().get(0).longDetail("latenessNs", 0)).isEqualTo(150 * MS);
        assertThat(instrument.longestNs()).isEqualTo(150 * MS);
        assertThat(wakeUps.log().count()).isEqualTo(2);
    }

    @Test
    void shouldNotReportATimerThatFiresInTime() {
        TimerInstrument instrument = instrument();
        for (int ms = 1; ms < 1_000; ms++) {
            wakeUps.awoke(ms * MS, ms * MS + 80_000);
            instrument.sample(ms * MS + 80_000, SampleSink.NONE);
        }
        assertThat(events.all()).isEmpty();
        assertThat(instrument.longestNs()).isEqualTo(80_000);
    }

    /** A sampler that is busy when its deadline passes is late by its own doing, and no witness. */
    @Test
    void shouldNotTakeABusySamplerForALateTimer() {
        AtomicLong nowNs = new AtomicLong(System.nanoTime());
        Sampler sampler = new Sampler(nowNs::get, MS, SampleSink.NONE, events);
        sampler.onStart();
        nowNs.addAndGet(200 * MS);
        assertThat(sampler.doWork()).isEqualTo(1);
        assertThat(sampler.wakeUps().log().longestNs()).isZero();
    }

    @Test
    void shouldMeasureOnTheSamplersThread() {
        Observatory observatory = new Observatory(
                SystemNanoClock.INSTANCE, events, List.of(), error -> fail("the sampler failed", error));
        try (observatory) {
            TimerInstrument instrument = observatory.timer(TimerInstrument.DEFAULT_THRESHOLD_NS);
            observatory.add(instrument);
            observatory.start();
            Await.until("timer fired", () -> instrument.longestNs() > 0);
        }
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

    private TimerInstrument instrument() {
        return new TimerInstrument(wakeUps, 20 * MS, events, () -> "");
    }
}
