package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

@Timeout(60)
class InstrumentRunnerTest {
    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldReportAnInstrumentThatFailsAtItsEndAndCloseTheOthers() {
        InstrumentRunner observatory = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        observatory.add(instrument("first", true));
        observatory.add(instrument("second", false));
        observatory.start();
        observatory.close();

        assertThat(closed).containsExactly("first", "second");
        assertThat(errors).isEmpty();
        assertThat(events.of(TimelineEventType.INSTRUMENT_BLIND))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.detail("instrument")).isEqualTo("first");
                    assertThat(event.detail("reason")).isEqualTo("no last word");
                });
    }

    /** Each in its turn is blind: it, and no other, is named. */
    @Test
    void shouldNameTheInstrumentThatHasStoodStill() {
        InstrumentRunner observatory = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        List<StandingStill> instruments =
                List.of(new StandingStill("first"), new StandingStill("second"), new StandingStill("third"));
        instruments.forEach(observatory::add);
        observatory.startWithoutSampler();
        long nowNs = 10_000_000_000L;
        assertThat(observatory.behind(nowNs)).isEmpty();
        for (StandingStill instrument : instruments) {
            instrument.reachedNs = nowNs - 2_000_000_000L;
            assertThat(observatory.behind(nowNs))
                    .containsExactly(Map.entry("the instrument " + instrument.name, instrument.reachedNs));
            instrument.reachedNs = nowNs - 1_000_000_000L;
            assertThat(observatory.behind(nowNs)).as("it sees again").isEmpty();
        }
        observatory.close();
    }

    @Test
    void shouldNameASamplerThatDoesNotTick() {
        InstrumentRunner observatory = new InstrumentRunner(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
        assertThat(observatory.behind(System.nanoTime() + 2_000_000_000L)).containsOnlyKeys("the sampler");
        observatory.close();
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
                    throw new DetectException("no last word");
                }
            }
        };
    }
}
