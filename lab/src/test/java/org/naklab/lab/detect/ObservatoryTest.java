package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ObservatoryTest {
    private final EventLog events = new EventLog();
    private final List<Throwable> errors = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldReportAnInstrumentThatFailsAtItsEndAndCloseTheOthers() {
        Observatory observatory = new Observatory(SystemNanoClock.INSTANCE, events, List.of(), errors::add);
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
