package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.Allocations;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** A real driver, stepped by the test's thread, and times of the test's choice. */
@Timeout(60)
class SubscriptionInstrumentTest {
    private static final long MS = 1_000_000;
    private static final int STREAM_ID = 17;
    private static final String IPC = "aeron:ipc?term-length=64k";
    private static final String UDP = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.pair() + "|term-length=64k";

    @TempDir
    Path parent;

    private final EventLog events = new EventLog();
    private final Map<String, Long> samples = new HashMap<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
    private MediaDriver driver;
    private Aeron aeron;
    private AeronUnit unit;
    private Flow flow;
    private long lastMs;
    private long clockMs;

    /** A stream with both ends, and the instrument under test. */
    private record Flow(Subscription subscription, Publication publication, SubscriptionInstrument instrument) {}

    @BeforeEach
    void launch() {
        Path directory = parent.resolve("aeron");
        driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.INVOKER)
                .termBufferSparseFile(true));
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
        unit = AeronUnit.of(directory);
        flow = connect(IPC);
    }

    private Flow connect(String channel) {
        Subscription subscription = aeron.addSubscription(channel, STREAM_ID);
        Publication publication = aeron.addPublication(channel, STREAM_ID);
        Await.until("connected", () -> {
            step();
            return subscription.isConnected() && publication.isConnected();
        });
        UnitMember self = unit.members().get(0);
        SubscriptionInstrument instrument = SubscriptionInstrument.attach("client", self, events, () -> clockMs * MS);
        Await.until("the owner", () -> {
            unit.members();
            instrument.refresh(0);
            return instrument.summaries().size() == 1;
        });
        return new Flow(subscription, publication, instrument);
    }

    private void overUdp() {
        flow.instrument().close();
        flow.subscription().close();
        flow.publication().close();
        samples.clear();
        flow = connect(UDP);
    }

    @AfterEach
    void close() {
        flow.instrument().close();
        unit.close();
        aeron.close();
        driver.close();
    }

    @Test
    void shouldMeasureTheDepthOfAnIpcStream() {
        publish(10);
        sample(1);

        assertThat(depthBytes()).isEqualTo(flow.publication().position()).isPositive();
        poll();
        sample(2);
        assertThat(depthBytes()).isZero();
        assertThat(flow.instrument().summaries()).singleElement().satisfies(summary -> {
            assertThat(summary.stream().isIpc()).isTrue();
            assertThat(summary.maxDepthBytes()).isEqualTo(flow.publication().position());
            assertThat(summary.windowBytes()).isGreaterThan(summary.maxDepthBytes());
            assertThat(summary.isPolled()).isTrue();
        });
    }

    @Test
    void shouldReportThatAnIpcStreamIsNotPolled() {
        shouldReportTheTimeWithoutPoll();
    }

    @Test
    void shouldReportThatAStreamFromTheNetworkIsNotPolled() {
        overUdp();
        shouldReportTheTimeWithoutPoll();
        assertThat(flow.instrument().summaries()).singleElement().satisfies(summary -> {
            assertThat(summary.stream().isIpc()).isFalse();
            assertThat(summary.windowBytes()).isEqualTo(SubscriptionSummary.UNKNOWN);
        });
    }

    private void shouldReportTheTimeWithoutPoll() {
        publish(1);
        sample(10);
        poll();
        sample(11);
        publish(5);
        for (long ms = 12; ms <= 311; ms++) {
            sample(ms);
        }
        assertThat(unpolled()).isEmpty();
        long left = depthBytes();
        poll();
        clockMs = 320; // the sampler lost the CPU before it read the position
        sample(312);

        assertThat(events.types())
                .containsExactly(TimelineEventType.SUBSCRIPTION_POLLED, TimelineEventType.SUBSCRIPTION_UNPOLLED);
        TimelineEvent unpolled = unpolled().get(0);
        assertThat(unpolled.longDetail("seenNs", 0)).isEqualTo(320 * MS);
        assertThat(unpolled.timeNs()).isEqualTo(11 * MS);
        assertThat(unpolled.durationNs()).isEqualTo(300 * MS);
        assertThat(unpolled.longDetail("peakBytes", 0)).isEqualTo(left).isPositive();
        assertThat(unpolled.longDetail("streamId", 0)).isEqualTo(STREAM_ID);
        assertThat(unpolled.longDetail("client", 0)).isEqualTo(aeron.clientId());
        assertThat(unpolled.detail("likeliest")).isEqualTo(true);
        assertThat(unpolled.detail("lasting")).isEqualTo(false);
    }

    @Test
    void shouldNotBlameTheClientWhileTheDriverStandsStill() {
        overUdp();
        publish(1);
        sample(10);
        poll();
        sample(11);
        for (int i = 0; i < 5; i++) {
            assertThat(flow.publication().offer(message)).isPositive();
        }
        for (long ms = 12; ms <= 311; ms++) {
            sample(ms);
        }
        assertThat(depthBytes()).isZero();
        step();
        poll();
        sample(312);

        assertThat(unpolled()).isEmpty();
    }

    @Test
    void shouldNotReportASubscriptionThatIsNeverPolled() {
        publish(5);
        for (long ms = 1; ms <= 300; ms++) {
            sample(ms);
        }
        flow.instrument().close();

        assertThat(unpolled()).isEmpty();
    }

    @Test
    void shouldReportAStandstillThatLasts() {
        sample(1);
        publish(1);
        poll();
        sample(2);
        publish(1);
        sample(3);
        sample(103);
        flow.instrument().close();

        assertThat(unpolled()).singleElement().satisfies(unpolled -> {
            assertThat(unpolled.detail("lasting")).isEqualTo(true);
            assertThat(unpolled.durationNs()).isEqualTo(101 * MS);
        });
    }

    @Test
    void shouldNotAllocatePerSample() {
        assertThat(Allocations.bytesOf(10_000, () -> flow.instrument().sample(1, SampleSink.NONE)))
                .isZero();
    }

    private void publish(int messages) {
        for (int i = 0; i < messages; i++) {
            Await.until("offered", () -> {
                step();
                return flow.publication().offer(message) > 0;
            });
        }
        Await.until("received", () -> {
            step();
            sample(-1);
            return depthBytes() > 0 && depthBytes() == flow.publication().position() - polled();
        });
    }

    private List<TimelineEvent> unpolled() {
        return events.of(TimelineEventType.SUBSCRIPTION_UNPOLLED);
    }

    private long polled() {
        return flow.subscription().imageAtIndex(0).position();
    }

    private void poll() {
        Await.until("polled", () -> {
            step();
            flow.subscription().poll((buffer, offset, length, header) -> {}, 100);
            return polled() == flow.publication().position();
        });
    }

    private void step() {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
    }

    private long depthBytes() {
        return samples.entrySet().stream()
                .filter(sample -> sample.getKey().endsWith(".unpolledBytes"))
                .mapToLong(Map.Entry::getValue)
                .findFirst()
                .orElse(0);
    }

    /** @param ms -1: at the time of the last sample */
    private void sample(long ms) {
        lastMs = ms < 0 ? lastMs : ms;
        flow.instrument().sample(lastMs * MS, this::record);
    }

    private void record(Series series, long timeNs, long value) {
        samples.put(series.toString(), value);
    }
}
