package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Counter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class AeronInstrumentTest {
    @TempDir
    Path directory;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();
    private LossyDriver driver;
    private AeronInstrument instrument;

    @BeforeEach
    void launch() {
        driver = new LossyDriver(directory.resolve("aeron"), FreePorts.pair());
        instrument = AeronInstrument.attach("mds", directory.resolve("aeron"), events, SystemNanoClock.INSTANCE);
    }

    @AfterEach
    void close() {
        instrument.close();
        driver.close();
    }

    @Test
    void shouldReportNakRetransmitAndRepairInOrder() {
        publishAndSample(50);
        driver.dropFrames(3);
        publishAndSample(50);
        sampleUntil("repaired", () -> !events.of(TimelineEventType.REPAIRED).isEmpty() && driver.received() == 100);
        instrument.refresh(System.nanoTime());

        List<TimelineEventType> receiver = events.types().stream()
                .filter(type -> type != TimelineEventType.NAK_RECEIVED
                        && type != TimelineEventType.RETRANSMIT_SENT
                        && type != TimelineEventType.LOSS_REPORTED)
                .distinct()
                .toList();
        assertThat(receiver)
                .containsExactly(
                        TimelineEventType.NAK_SENT, TimelineEventType.RETRANSMIT_RECEIVED, TimelineEventType.REPAIRED);
        assertThat(events.types()).contains(TimelineEventType.NAK_RECEIVED, TimelineEventType.RETRANSMIT_SENT);
        TimelineEvent nak = events.of(TimelineEventType.NAK_SENT).get(0);
        assertThat(nak.longDetail("streamId", 0)).isEqualTo(LossyDriver.STREAM_ID);
        assertThat(nak.longDetail("gapBytes", 0)).isPositive();

        long naks = events.of(TimelineEventType.NAK_SENT).stream()
                .mapToLong(event -> event.longDetail("naks", 0))
                .sum();
        assertThat(naks).isPositive().isEqualTo(samples.get("aeron.mds.naksSent"));
        assertThat(instrument.losses()).hasSize(1);
        assertThat(instrument.losses().get(0).stream().streamId()).isEqualTo(LossyDriver.STREAM_ID);
        assertThat(events.of(TimelineEventType.LOSS_REPORTED)).hasSize(1);
    }

    @Test
    void shouldStaySilentWithoutLoss() {
        publishAndSample(200);
        sampleUntil("all received", () -> driver.received() == 200);
        instrument.refresh(System.nanoTime());

        assertThat(events.all()).isEmpty();
        assertThat(samples.keySet()).anyMatch(name -> name.endsWith(".wholePositionBytes"));
    }

    /** The types and the key are a contract with the receivers of the replica. */
    @Test
    void shouldReportWhatTheReceiverCountedOnArrival() {
        try (Counter overtaken = driver.count(20_471, 40_456);
                Counter repeated = driver.count(20_472, 40_456);
                Counter longest = driver.count(20_473, 40_456);
                Counter ofAnother = driver.count(20_473, 40_458)) {
            overtaken.set(4);
            instrument.refresh(System.nanoTime());
            instrument.sample(System.nanoTime(), this::record);
            assertThat(events.all()).as("what came before the watch began").isEmpty();

            longest.set(3_500_000);
            ofAnother.set(9_000_000);
            overtaken.set(7);
            repeated.set(2);
            instrument.sample(System.nanoTime(), this::record);
        }
        assertThat(events.types())
                .containsExactly(TimelineEventType.DATAGRAMS_OVERTAKEN, TimelineEventType.DATAGRAMS_REPEATED);
        TimelineEvent late = events.of(TimelineEventType.DATAGRAMS_OVERTAKEN).get(0);
        assertThat(late.process()).isEqualTo("mds");
        assertThat(late.details())
                .containsEntry("datagrams", 3L)
                .containsEntry("total", 7L)
                .containsEntry("longestDelayNs", 3_500_000L)
                .containsEntry("port", 40_456)
                .containsEntry("streamId", LossyDriver.STREAM_ID);
        assertThat(events.of(TimelineEventType.DATAGRAMS_REPEATED).get(0).details())
                .containsEntry("datagrams", 2L);
    }

    @Test
    void shouldReportAGapThatIsNotRepaired() {
        publishAndSample(10);
        driver.loseForGood();
        publishAndSample(10);
        sampleUntil("NAK", () -> !events.of(TimelineEventType.NAK_SENT).isEmpty());
        instrument.close();
        instrument = AeronInstrument.attach("mds", directory.resolve("aeron"), events, SystemNanoClock.INSTANCE);

        assertThat(events.of(TimelineEventType.GAP_UNREPAIRED)).hasSize(1);
        assertThat(events.of(TimelineEventType.REPAIRED)).isEmpty();
    }

    @Test
    void shouldReadWhileTheDriverStandsStill() {
        publishAndSample(10);
        long before = samples.size();
        for (int i = 0; i < 100; i++) {
            instrument.sample(System.nanoTime(), this::record);
        }

        assertThat(samples).hasSize((int) before);
    }

    @Test
    void shouldNotAllocatePerSample() {
        driver.publish(10);
        assertThat(Allocations.bytesOf(10_000, () -> instrument.sample(1, SampleSink.NONE)))
                .isZero();
    }

    @Test
    void shouldSayThatThereIsNoDriver() {
        assertThatThrownBy(() -> AeronInstrument.attach("x", directory, events, SystemNanoClock.INSTANCE))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("no Aeron driver in " + directory);
    }

    private void publishAndSample(int messages) {
        for (int i = 0; i < messages; i++) {
            driver.publish(1);
            instrument.sample(System.nanoTime(), this::record);
        }
    }

    private void sampleUntil(String what, BooleanSupplier condition) {
        Await.until(what, () -> {
            driver.step();
            instrument.sample(System.nanoTime(), this::record);
            return condition.getAsBoolean();
        });
    }

    private void record(Series series, long timeNs, long value) {
        samples.put(series.toString(), value);
    }
}
