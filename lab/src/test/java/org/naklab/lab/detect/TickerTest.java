package org.naklab.lab.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TickerTest {
    private static final long MS = 1_000_000;
    private static final long LATER_NS = TimeUnit.HOURS.toNanos(1);
    private static final int MANY_TICKS = 20_000;

    private final TestSockets sockets = new TestSockets();
    private final AtomicBuffer memory = new NativeMemory(2 * Long.BYTES).view();
    private final Words words = new Words();

    @BeforeEach
    void requireLibrary() {
        assumeThat(TickLibrary.isAvailable())
                .as("the build had a C compiler and the JDK's headers")
                .isTrue();
    }

    @AfterEach
    void closeSockets() throws IOException {
        sockets.close();
    }

    @Test
    void shouldSleepThroughAsManyTicksAsItIsTold() {
        Ticker ticker = started(Ticker.NO_ALARM);
        long firstNs = ticker.deadlineNs();
        ticker.await(5, List.of(), words);

        assertThat(ticker.ticks()).isEqualTo(5);
        assertThat(ticker.isAlarmed()).isFalse();
        assertThat(ticker.nowNs()).isGreaterThanOrEqualTo(firstNs + 4 * MS);
        assertThat(ticker.deadlineNs()).isEqualTo(firstNs + (5 + ticker.missed()) * MS);
    }

    @Test
    void shouldEndWithATickThatIsLate() {
        Ticker ticker = started(1);
        ticker.await(MANY_TICKS, List.of(), words);

        assertThat(ticker.isAlarmed()).isTrue();
        assertThat(ticker.ticks()).isLessThan(MANY_TICKS);
        assertThat(ticker.nowNs() - ticker.maxLateDeadlineNs()).isEqualTo(ticker.maxLatenessNs());
    }

    @Test
    void shouldHearACounterOnceWhenItHasChanged() {
        Ticker ticker = started(Ticker.NO_ALARM);
        words.addCounter(memory, 0);
        ticker.await(3, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();

        memory.putLong(0, 17);
        ticker.await(MANY_TICKS, List.of(), words);
        assertThat(ticker.isAlarmed()).isTrue();
        assertThat(ticker.ticks()).isEqualTo(1);

        ticker.await(3, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();
        assertThat(ticker.ticks()).isEqualTo(3);
    }

    @Test
    void shouldHearATimeWhileItIsLongAgo() {
        Ticker ticker = started(Ticker.NO_ALARM);
        words.addTime(memory, 0, 5 * MS);
        memory.putLong(0, HeartbeatLayout.NOT_BEATING);
        ticker.await(3, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();

        memory.putLong(0, System.nanoTime() + LATER_NS);
        ticker.await(3, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();

        memory.putLong(0, System.nanoTime() - 5 * MS);
        for (int i = 0; i < 2; i++) {
            ticker.await(MANY_TICKS, List.of(), words);
            assertThat(ticker.isAlarmed()).isTrue();
            assertThat(ticker.ticks()).isEqualTo(1);
        }
    }

    /** A socket that its owner may block in is measured each time, another only when it is not empty. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndWithADroppedDatagramAndTellOfEachChange(boolean blocking) throws IOException {
        DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        DatagramChannel sender = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        receiver.configureBlocking(blocking);
        int port = TestSockets.port(receiver);
        List<Long> times = new ArrayList<>();
        List<Long> depths = new ArrayList<>();
        List<Long> drops = new ArrayList<>();
        SocketFiguresConsumer consumer = (timeNs, socket) -> {
            if (socket.identity().localPort() == port) {
                times.add(timeNs);
                depths.add(socket.depthBytes());
                drops.add(socket.drops());
            }
        };
        Ticker ticker = started(Ticker.NO_ALARM);
        try (SocketSource source =
                SocketSources.PIDFD.open(ProcessHandle.current().pid())) {
            source.sample();
            List<SocketPanel> panels = List.of(source.panel());
            ticker.await(3, panels, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 3);
            ticker.await(3, panels, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);
            assertThat(depths.get(depths.size() - 1)).isPositive();
            assertThat(drops.get(drops.size() - 1)).isZero();

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1_000);
            ticker.await(MANY_TICKS, panels, words);
            assertThat(ticker.isAlarmed()).isTrue();
            assertThat(ticker.ticks()).isEqualTo(1);
            source.sample(ticker.nowNs(), consumer);
            assertThat(depths.get(depths.size() - 1)).isGreaterThan(64 * 1024);
            assertThat(drops.get(drops.size() - 1)).isBetween(1L, 999L);

            receiver.configureBlocking(false);
            ByteBuffer buffer = ByteBuffer.allocate(200);
            while (receiver.receive(buffer.clear()) != null) {
                assertThat(buffer.position()).isEqualTo(100);
            }
            ticker.await(3, panels, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);
        }

        assertThat(depths.get(depths.size() - 1)).isZero();
        assertThat(times).isSorted().hasSizeGreaterThanOrEqualTo(6);
    }

    private static Ticker started(long alarmLatenessNs) {
        Ticker ticker = new Ticker(SystemNanoClock.INSTANCE, MS, alarmLatenessNs);
        ticker.start();
        return ticker;
    }
}
