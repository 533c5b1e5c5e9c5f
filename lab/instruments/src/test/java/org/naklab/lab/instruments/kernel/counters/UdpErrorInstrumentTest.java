package org.naklab.lab.instruments.kernel.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.Await;
import org.naklab.testing.events.Samples;

@Timeout(60)
class UdpErrorInstrumentTest {
    private final EventLog events = new EventLog();
    private final Map<String, Long> counters = new HashMap<>(Map.of("InCsumErrors", 7L, "NoPorts", 5L));
    private final AtomicLong nowNs = new AtomicLong(1_000);

    private final UdpErrorInstrument instrument =
            new UdpErrorInstrument("mds", events, nowNs::get, () -> new HashMap<>(counters));

    @Test
    void shouldReportOnlyTheGrowthOfACounterAndSinceWhen() {
        nowNs.set(1_100);
        instrument.refresh(1_100);
        assertThat(events.all()).isEmpty();

        counters.put("InCsumErrors", 10L);
        nowNs.set(1_300);
        instrument.refresh(1_300);
        nowNs.set(1_400);
        instrument.refresh(1_400);
        assertThat(events.all())
                .containsExactly(TimelineEvent.of(
                        1_100,
                        TimelineEventType.UDP_ERRORS,
                        "mds",
                        Samples.whole(
                                TimelineEventType.UDP_ERRORS.form(),
                                Map.of("counter", "InCsumErrors", "growth", 3L, "durationNs", 200L))));
    }

    @Test
    void shouldReadOnceMoreAtTheEndAndTellTheTimeThatIsCovered() {
        counters.put("NoPorts", 6L);
        nowNs.set(1_700);
        instrument.close();
        assertThat(events.types()).containsExactly(TimelineEventType.UDP_ERRORS, TimelineEventType.UDP_COUNTED);
        assertThat(events.of(TimelineEventType.UDP_COUNTED))
                .containsExactly(TimelineEvent.of(
                        1_000,
                        TimelineEventType.UDP_COUNTED,
                        "mds",
                        Samples.whole(TimelineEventType.UDP_COUNTED.form(), Map.of("durationNs", 700L))));
    }

    @Test
    void shouldBeBehindSinceTheCountersCouldNoLongerBeRead() {
        boolean[] gone = {false};
        UdpErrorInstrument failing = new UdpErrorInstrument("mds", events, nowNs::get, () -> {
            if (gone[0]) {
                throw new DetectException("no such file");
            }
            return Map.of();
        });
        nowNs.set(1_500);
        failing.refresh(1_500);
        assertThat(failing.reachedNs(9_000)).isEqualTo(9_000);
        gone[0] = true;
        nowNs.set(2_500);
        failing.refresh(2_500);
        assertThat(failing.reachedNs(9_000)).isEqualTo(2_500);
    }

    @Test
    void shouldCoverOnlyTheTimeUntilTheCountersCouldNoLongerBeRead() {
        boolean[] gone = {false};
        UdpErrorInstrument ending = new UdpErrorInstrument("mds", events, nowNs::get, () -> {
            if (gone[0]) {
                throw new DetectException("cannot read snmp");
            }
            return counters;
        });
        nowNs.set(1_200);
        ending.refresh(1_200);
        gone[0] = true;
        nowNs.set(1_900);
        ending.refresh(1_900);
        gone[0] = false;
        ending.close();
        assertThat(events.of(TimelineEventType.UDP_COUNTED))
                .containsExactly(TimelineEvent.of(
                        1_000,
                        TimelineEventType.UDP_COUNTED,
                        "mds",
                        Samples.whole(
                                TimelineEventType.UDP_COUNTED.form(),
                                Map.of("durationNs", 200L, "ended", "cannot read snmp"))));
    }

    @Test
    void shouldSeeADatagramToAPortWithoutASocket() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        int port;
        try (DatagramSocket closed = new DatagramSocket(0, here)) {
            port = closed.getLocalPort();
        }
        UdpErrorInstrument own =
                UdpErrorInstrument.attach("lab", ProcessHandle.current().pid(), events, SystemNanoClock.INSTANCE);
        try (DatagramSocket sender = new DatagramSocket(0, here)) {
            sender.send(new DatagramPacket(new byte[8], 8, here, port));
            Await.until("growth of NoPorts", () -> {
                own.refresh(System.nanoTime());
                return events.of(TimelineEventType.UDP_ERRORS).stream()
                        .anyMatch(event -> event.textDetail("counter").equals("NoPorts"));
            });
        }
        own.close();
        assertThat(events.of(TimelineEventType.UDP_COUNTED)).hasSize(1);
    }

    @Test
    void shouldNotAttachToAProcessThatIsGone() {
        assertThatExceptionOfType(DetectException.class)
                .isThrownBy(
                        () -> UdpErrorInstrument.attach("mds", Integer.MAX_VALUE, events, SystemNanoClock.INSTANCE));
    }
}
