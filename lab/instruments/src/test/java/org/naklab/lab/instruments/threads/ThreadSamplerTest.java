package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;

@Timeout(60)
class ThreadSamplerTest {
    private static final long MS = 1_000_000;

    @TempDir
    Path task;

    private final EventLog events = new EventLog();
    private ThreadSampler probe;
    private int timesRun;

    @BeforeEach
    void open() throws IOException {
        write('R', 10, 2, 0);
        SleepDetector sleeps = new SleepDetector("mds", "mds-context", events);
        probe = new ThreadSampler("mds", "mds-context", 7, ThreadStat.open(task), events, sleeps);
        probe.sample(1 * MS, SampleSink.NONE);
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void shouldDateAMajorFaultToTheMomentTheThreadWasBlocked() throws IOException {
        write('R', 11, 2, 0);
        probe.sample(2 * MS, SampleSink.NONE);
        write('D', 11, 2, 0);
        sample(3, 150);
        write('R', 11, 4, 0);
        probe.sample(150 * MS, SampleSink.NONE);

        TimelineEvent fault = events.all().get(0);
        assertThat(events.types()).containsExactly(TimelineEventType.MAJOR_FAULT);
        assertThat(fault.timeNs()).isEqualTo(3 * MS);
        assertThat(fault.longDetail("earliestNs", 0)).isEqualTo(2 * MS);
        assertThat(fault.longDetail("seenNs", 0)).isEqualTo(150 * MS);
        assertThat(fault.longDetail("faults", 0)).isEqualTo(2);
        assertThat(fault.thread()).isEqualTo("mds-context");
    }

    @Test
    void shouldDateAFaultThatIsCountedOnceTheThreadRunsAgain() throws IOException {
        sampleBlocked(2, 150, 2);
        write('R', 11, 2, 0);
        probe.sample(150 * MS, SampleSink.NONE);
        sampleBlocked(151, 200, 3);
        write('R', 11, 4, 0);
        probe.sample(200 * MS, SampleSink.NONE);

        assertThat(events.types()).containsExactly(TimelineEventType.MAJOR_FAULT, TimelineEventType.MAJOR_FAULT);
        assertThat(events.all()).extracting(TimelineEvent::timeNs).containsExactly(2 * MS, 151 * MS);
        assertThat(events.all())
                .extracting(fault -> fault.longDetail("earliestNs", 0))
                .containsExactly(MS, 150 * MS);
    }

    @Test
    void shouldNotDateAFaultToATimeBlockedLongBefore() throws IOException {
        sampleBlocked(2, 150, 2);
        for (int ms = 150; ms < 155; ms++) {
            write('R', 11, 2, 0);
            probe.sample(ms * MS, SampleSink.NONE);
        }
        sampleBlocked(155, 160, 2);
        write('R', 11, 3, 0);
        probe.sample(160 * MS, SampleSink.NONE);

        assertThat(events.all()).extracting(TimelineEvent::timeNs).containsExactly(155 * MS);
    }

    @Test
    void shouldNotReportMinorFaultsNorTimeBlockedWithoutAFault() throws IOException {
        for (int ms = 2; ms < 200; ms++) {
            write(ms % 2 == 0 ? 'D' : 'S', ms * 100L, 2, ms);
            probe.sample(ms * MS, SampleSink.NONE);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportALongWaitForAProcessor() throws IOException {
        write('R', 10, 2, 30 * MS);
        probe.sample(40 * MS, SampleSink.NONE);

        TimelineEvent delay = events.all().get(0);
        assertThat(events.types()).containsExactly(TimelineEventType.RUN_QUEUE_DELAY);
        assertThat(delay.timeNs()).isEqualTo(10 * MS);
        assertThat(delay.longDetail("delayNs", 0)).isEqualTo(30 * MS);
    }

    @Test
    void shouldNotAddUpManyShortWaits() throws IOException {
        timesRun += 40;
        write('R', 10, 2, 6 * MS);
        probe.sample(21 * MS, SampleSink.NONE);

        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportAWaitAmongLongTimesAsleep() throws IOException {
        timesRun += 1;
        write('S', 10, 2, 6 * MS);
        probe.sample(101 * MS, SampleSink.NONE);

        assertThat(events.types()).containsExactly(TimelineEventType.RUN_QUEUE_DELAY);
    }

    @Test
    void shouldLookAtTheStateOfAThreadThatRunsNowAndThen() throws IOException {
        Map<String, Integer> samples = new HashMap<>();
        for (int ms = 5; ms <= 100; ms += 5) {
            write('R', 10, ms < 50 ? 2 : 3, 0, ms * MS);
            probe.sample(
                    ms * MS,
                    (series, timeNs, value) -> samples.merge(series.name().quantity(), 1, Integer::sum));
        }
        assertThat(samples).containsEntry("cpuNs", 20).containsEntry("majorFaults", 4);
        assertThat(events.types()).containsExactly(TimelineEventType.MAJOR_FAULT);
    }

    @Test
    void shouldReportAStopAndItsLength() throws IOException {
        write('T', 10, 2, 0);
        probe.sample(2 * MS, SampleSink.NONE);
        write('R', 10, 2, 0);
        probe.sample(302 * MS, SampleSink.NONE);

        assertThat(events.types())
                .containsExactly(TimelineEventType.THREAD_STOPPED, TimelineEventType.THREAD_CONTINUED);
        assertThat(events.all().get(1).longDetail("durationNs", 0)).isEqualTo(300 * MS);
    }

    @Test
    void shouldReportALongSleepAsFarAsItWasSeen() throws IOException {
        write('S', 10, 2, 0);
        sample(2, 143);
        write('R', 10, 2, 0);
        probe.sample(150 * MS, SampleSink.NONE);

        TimelineEvent sleep = events.all().get(0);
        assertThat(events.types()).containsExactly(TimelineEventType.THREAD_SLEPT);
        assertThat(sleep.timeNs()).isEqualTo(2 * MS);
        assertThat(sleep.longDetail("durationNs", 0)).isEqualTo(140 * MS);
    }

    /** To be woken is not to run: until it does, nothing of it changes but its state, which is not read for that reason. */
    @Test
    void shouldNotTakeAWaitForAProcessorForSleep() throws IOException {
        write('S', 10, 2, 0);
        sample(2, 63);
        write('R', 10, 2, 43 * MS);
        probe.sample(63 * MS, SampleSink.NONE);

        TimelineEvent sleep = events.of(TimelineEventType.THREAD_SLEPT).get(0);
        assertThat(sleep.timeNs()).isEqualTo(2 * MS);
        assertThat(sleep.longDetail("durationNs", 0)).isEqualTo(18 * MS);
    }

    /** Asleep at each sample, and awake in between: an idle thread that parks. */
    @Test
    void shouldNotReportManyShortSleeps() throws IOException {
        for (int ms = 2; ms <= 142; ms++) {
            write('S', 10, 2, 0);
            probe.sample(ms * MS, SampleSink.NONE);
        }
        probe.close();

        assertThat(events.all()).isEmpty();
    }

    /** On a processor all the time, by the kernel's account, also while a hypervisor has taken that away. */
    @Test
    void shouldNotTakeAThreadThatIsToRunForOneAsleep() throws IOException {
        write('R', 10, 2, 0);
        sample(2, 143);
        probe.close();

        assertThat(events.all()).isEmpty();
    }

    private void sampleBlocked(int fromMs, int toMs, long majorFaults) throws IOException {
        write('D', 11, majorFaults, 0);
        sample(fromMs, toMs);
    }

    /** Once a millisecond, the last one not. */
    private void sample(int fromMs, int toMs) {
        for (int ms = fromMs; ms < toMs; ms++) {
            probe.sample(ms * MS, SampleSink.NONE);
        }
    }

    private void write(char state, long minorFaults, long majorFaults, long runDelayNs) throws IOException {
        write(state, minorFaults, majorFaults, runDelayNs, 123_456);
    }

    private void write(char state, long minorFaults, long majorFaults, long runDelayNs, long cpuNs) throws IOException {
        String stat = "7 (a (very) odd) name) " + state + " 1 1 1 0 -1 4194304 " + minorFaults + " 99 " + majorFaults
                + " 98 5 6 7\n";
        Files.writeString(task.resolve("stat"), stat);
        Files.writeString(task.resolve("schedstat"), cpuNs + " " + runDelayNs + ' ' + ++timesRun + '\n');
    }
}
