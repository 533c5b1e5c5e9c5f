package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
