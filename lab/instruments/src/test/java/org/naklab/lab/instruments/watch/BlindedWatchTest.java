package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.kernel.KernelInstrument;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.testing.Await;
import org.naklab.testing.StopReading;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

/** Blinds the instruments of a real watch, each in its turn: none may be blind without being named. */
@Timeout(120)
class BlindedWatchTest {
    private static final long BLIND_NS = TimeUnit.SECONDS.toNanos(2);

    @TempDir
    private Path directory;

    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final List<Blindable> instruments = new CopyOnWriteArrayList<>();
    private StopReading receiver;
    private InstrumentRunner runner;
    private Watch watch;

    @BeforeEach
    void attach() throws Exception {
        Installed.assume("cc");
        receiver = StopReading.start(List.of(), StopReading.compile(directory), "239.192.25.8", FreePorts.pair());
        assertThat(receiver.isReady()).isTrue();
        runner = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add, instrument -> {
            Blindable blindable = new Blindable(instrument);
            instruments.add(blindable);
            return blindable;
        });
        watch = Watch.attach("receiver", receiver.pid(), null, runner, null);
        assertThat(instruments).as("a watch has so many at least").hasSizeGreaterThanOrEqualTo(9);
    }

    @AfterEach
    void end() {
        watch.close();
        receiver.close();
    }

    @Test
    void shouldNameEachInstrumentThatHangs() {
        for (Blindable instrument : instruments) {
            CountDownLatch answer = new CountDownLatch(1);
            instrument.blinding = () -> await(answer);
            Await.until(instrument.title() + " is named", () -> behind(BLIND_NS).containsKey(instrument.title()));
            instrument.blinding = null;
            answer.countDown();
        }
        Await.until("all see again", () -> behind(0).isEmpty());
        assertThat(errors).isEmpty();
        assertThat(events.of(TimelineEventType.INSTRUMENT_BLIND)).isEmpty();
    }

    @Test
    void shouldReportEachInstrumentThatFails() {
        for (Blindable instrument : instruments) {
            instrument.blinding = () -> {
                throw new DetectException(instrument.title() + " fails");
            };
            Await.until(instrument.title() + " is reported", () -> isReported(instrument.title() + " fails"));
            instrument.blinding = null;
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldReportEachInstrumentThatReadsWhatIsDamaged() {
        for (Blindable instrument : instruments) {
            instrument.blinding = () -> {
                throw new IndexOutOfBoundsException(instrument.title() + " reads on");
            };
            Await.until(instrument.title() + " is reported", () -> isReported(instrument.title() + " reads on"));
            instrument.blinding = null;
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldNameTheSamplerIfASampleHangs() {
        CountDownLatch answer = new CountDownLatch(1);
        Blindable first = instruments.get(0);
        first.blindingOfSamples = () -> await(answer);
        Await.until("the sampler is named", () -> behind(0).containsKey("the sampler"));
        first.blindingOfSamples = null;
        answer.countDown();
        Await.until("it samples again", () -> behind(0).isEmpty());
    }

    @Test
    void shouldNameTheKernelRecorderIfItsProcessStops() throws Exception {
        Instrument kernel = instruments.stream()
                .map(instrument -> instrument.real)
                .filter(KernelInstrument.class::isInstance)
                .findFirst()
                .orElse(null);
        assumeThat(kernel).isNotNull();
        List<Long> recorders = ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().command().orElse("").contains("naklab-kernel"))
                .map(ProcessHandle::pid)
                .toList();
        assumeThat(recorders).as("by BPF").isNotEmpty();
        signal("STOP", recorders);
        try {
            Await.until("the recorder is named", () -> behind(0).containsKey("the kernel recorder"));
        } finally {
            signal("CONT", recorders);
        }
        Await.until("it records again", () -> behind(0).isEmpty());
    }

    private static void signal(String name, List<Long> pids) throws IOException {
        for (long pid : pids) {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                            .start()
                            .onExit()
                            .join()
                            .exitValue())
                    .isZero();
        }
    }

    private Map<String, Long> behind(long laterNs) {
        return runner.behind(System.nanoTime() + laterNs);
    }

    private boolean isReported(String reason) {
        return events.of(TimelineEventType.INSTRUMENT_BLIND).stream()
                .anyMatch(event -> event.textDetail("reason").contains(reason));
    }

    private static void await(CountDownLatch answer) {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Is what another instrument is until it is blinded. */
    private static final class Blindable extends ForwardingInstrument {
        private volatile @Nullable Runnable blinding;
        private volatile @Nullable Runnable blindingOfSamples;

        Blindable(Instrument real) {
            super(real);
        }

        private static void run(@Nullable Runnable blinding) {
            if (blinding != null) {
                blinding.run();
            }
        }

        @Override
        public void sample(long nowNs, SampleSink sink) {
            run(blindingOfSamples);
            super.sample(nowNs, sink);
        }

        @Override
        public void refresh(long nowNs) {
            run(blinding);
            super.refresh(nowNs);
        }
    }
}
