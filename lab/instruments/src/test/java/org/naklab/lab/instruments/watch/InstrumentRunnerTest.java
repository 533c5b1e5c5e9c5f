package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.kernel.counters.UdpErrorInstrument;
import org.naklab.lab.instruments.memory.MemoryInstrument;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.sockets.SocketDepthInstrument;
import org.naklab.lab.instruments.threads.ProcessThreadsInstrument;
import org.naklab.lab.instruments.threads.ReceiverStallDetector;
import org.naklab.lab.instruments.threads.SocketReaders;
import org.naklab.lab.instruments.threads.ThreadLabels;
import org.naklab.testing.Await;

@Timeout(60)
class InstrumentRunnerTest {
    private static final long BLIND_NS = 2_000_000_000L;

    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldReportAnInstrumentThatFailsAtItsEndAndCloseTheOthers() {
        InstrumentRunner runner = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        runner.add(instrument("first", true));
        runner.add(instrument("second", false));
        runner.start();
        runner.close();

        assertThat(closed).containsExactly("first", "second");
        assertThat(errors).isEmpty();
        assertThat(events.of(TimelineEventType.INSTRUMENT_BLIND))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.detail("instrument")).isEqualTo("first");
                    assertThat(event.detail("reason")).isEqualTo("no final report");
                });
    }

    /** Each in its turn is blind: it, and no other, is named. */
    @Test
    void shouldNameTheInstrumentThatHasStoodStill() {
        InstrumentRunner runner = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        List<StandingStill> instruments =
                List.of(new StandingStill("first"), new StandingStill("second"), new StandingStill("third"));
        instruments.forEach(runner::add);
        runner.startWithoutSampler();
        long nowNs = 10_000_000_000L;
        assertThat(runner.behind(nowNs)).isEmpty();
        for (StandingStill instrument : instruments) {
            instrument.reachedNs = nowNs - 2_000_000_000L;
            assertThat(runner.behind(nowNs))
                    .containsExactly(Map.entry("the instrument " + instrument.name, instrument.reachedNs));
            instrument.reachedNs = nowNs - 1_000_000_000L;
            assertThat(runner.behind(nowNs)).as("it sees again").isEmpty();
        }
        runner.close();
    }

    /** A file that it reads may not answer: the real instruments of a watch, each in its turn. */
    @ParameterizedTest
    @MethodSource("ofThisProcess")
    void shouldNameTheInstrumentWhoseRefreshHangs(Instrument real) {
        CountDownLatch answer = new CountDownLatch(1);
        InstrumentRunner runner = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        runner.add(new Hanging(real, answer));
        runner.startWithoutSampler();
        Await.until("a refresh that hangs", () -> runner.behind(System.nanoTime() + BLIND_NS)
                .containsKey(real.title()));
        answer.countDown();
        Await.until(
                "it goes on", () -> !runner.behind(System.nanoTime() + BLIND_NS).containsKey(real.title()));
        runner.close();
        assertThat(errors).isEmpty();
    }

    private static Stream<Named<Instrument>> ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        NanoClock clock = SystemNanoClock.INSTANCE;
        EventLog events = new EventLog();
        ThreadLabels labels = ThreadLabels.ofProcess(pid);
        return Stream.<Instrument>of(
                        SocketDepthInstrument.attachToForeign("this", pid, events, clock),
                        new ProcessThreadsInstrument("this", pid, labels, events),
                        new MemoryInstrument("this", pid, events),
                        new SocketReaders(pid, Set::of, inode -> Set.of(), labels),
                        UdpErrorInstrument.attach("this", pid, events, clock),
                        new ReceivedPortsInstrument("this", pid, List::of, () -> true, inode -> 0, events, clock),
                        new ReceiverStallDetector("this", inode -> Set.of(), () -> true, events))
                .map(instrument -> Named.of(instrument.title(), instrument));
    }

    @Test
    void shouldNameASamplerThatDoesNotTick() {
        InstrumentRunner runner = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        assertThat(runner.behind(System.nanoTime() + 2_000_000_000L)).containsOnlyKeys("the sampler");
        runner.close();
    }

    private static final class StandingStill implements Instrument {
        private final String name;
        private long reachedNs = Long.MAX_VALUE / 2;

        StandingStill(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String describe() {
            return name;
        }

        @Override
        public long reachedNs(long nowNs) {
            return Math.min(nowNs, reachedNs);
        }

        @Override
        public void sample(long nowNs, SampleSink sink) {}

        @Override
        public void close() {}
    }

    /** Is what another instrument is, but its refresh waits for an answer first. */
    private static final class Hanging extends ForwardingInstrument {
        private final CountDownLatch answer;

        Hanging(Instrument real, CountDownLatch answer) {
            super(real);
            this.answer = answer;
        }

        @Override
        public void refresh(long nowNs) {
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.refresh(nowNs);
        }
    }

    private Instrument instrument(String name, boolean isFailing) {
        return new Instrument() {
            @Override
            public String describe() {
                return name;
            }

            @Override
            public void sample(long nowNs, SampleSink sink) {}

            @Override
            public void close() {
                closed.add(name);
                if (isFailing) {
                    throw new DetectException("no final report");
                }
            }
        };
    }
}
