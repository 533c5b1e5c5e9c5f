package org.naklab.lab.instruments.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Subscription;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.host.FreePorts;

/** The counters are those of a real driver; the sockets are those that the test says that the kernel has. */
@Timeout(60)
class KernelBypassInstrumentTest {
    @TempDir
    Path parent;

    private final int port = FreePorts.pair();
    private final EventLog events = new EventLog();
    private final Set<Integer> kernelPorts = new HashSet<>();
    private LossyDriver driver;
    private KernelBypassInstrument instrument;

    @BeforeEach
    void launch() {
        driver = new LossyDriver(parent.resolve("aeron"), port);
        instrument = KernelBypassInstrument.attach("driver", parent.resolve("aeron"), () -> kernelPorts, events);
    }

    @AfterEach
    void close() {
        instrument.close();
        driver.close();
    }

    @Test
    void shouldSayThatKernelSocketsAreBlindToAChannelWithoutSocket() {
        assertThat(instrument.missing())
                .singleElement()
                .asString()
                .startsWith("kernel sockets are blind here: the driver receives aeron:udp?endpoint=127.0.0.1:" + port)
                .contains("without a UDP socket of the kernel", "NAKs, losses and positions");
    }

    @Test
    void shouldMissNothingWithASocketOnThePortOfTheChannel() {
        kernelPorts.add(port);
        assertThat(instrument.missing()).isEmpty();
        instrument.refresh(1);
        instrument.refresh(2);
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportOnceAChannelThatOpensLater() throws Exception {
        kernelPorts.add(port);
        assertThat(instrument.missing()).isEmpty();
        int other = FreePorts.pair();
        try (Subscription subscription = driver.subscribe("aeron:udp?endpoint=127.0.0.1:" + other)) {
            assertThat(subscription.channelStatus()).isEqualTo(1);
            instrument.refresh(1);
            assertThat(events.all()).isEmpty();
            instrument.refresh(2);
            instrument.refresh(3);
        }
        assertThat(events.of(TimelineEventType.INSTRUMENT_BLIND))
                .singleElement()
                .extracting(event -> event.textDetail("reason"))
                .asString()
                .contains("kernel sockets are blind here", ":" + other);
    }
}
