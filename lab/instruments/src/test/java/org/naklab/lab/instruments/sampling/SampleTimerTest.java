package org.naklab.lab.instruments.sampling;

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
import org.naklab.lab.instruments.linux.NativeMemory;
import org.naklab.lab.instruments.linux.NativeSampler;
import org.naklab.lab.instruments.sockets.SocketSource;
import org.naklab.lab.instruments.sockets.SocketSources;

@Timeout(60)
class SampleTimerTest {
    private static final long MS = 1_000_000;
    private static final long LATER_NS = TimeUnit.HOURS.toNanos(1);
    private static final int MANY_TICKS = 20_000;

    private final TestSockets sockets = new TestSockets();
    private final AtomicBuffer memory = new NativeMemory(2 * Long.BYTES).view();
    private final Watchpoints words = new Watchpoints();
    private final List<SampleTimer> tickers = new ArrayList<>();

    @BeforeEach
    void requireLibrary() {
        assumeThat(NativeSampler.isAvailable())
                .as("the build had a C compiler and the JDK's headers")
                .isTrue();
    }

    @AfterEach
    void closeSocketsAndTimers() throws IOException {
        sockets.close();
        tickers.forEach(SampleTimer::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSleepThroughAsManyTicksAsItIsTold(boolean onTimers) {
        SampleTimer ticker = started(onTimers);
        long firstNs = ticker.deadlineNs();
        ticker.await(5, List.of(), words);

        assertThat(ticker.ticks()).isEqualTo(5);
        assertThat(ticker.isAlarmed()).isFalse();
        assertThat(ticker.nowNs()).isGreaterThanOrEqualTo(firstNs + 4 * MS);
        assertThat(ticker.deadlineNs()).isEqualTo(firstNs + (5 + ticker.missed()) * MS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepToItsGridAfterMissedTicks(boolean onTimers) {
        SampleTimer ticker = started(onTimers);
        long gridNs = ticker.deadlineNs() % MS;
        for (int missed = 0; missed < 5; missed++) {
            awaitNs(ticker.deadlineNs() + missed * MS);
            ticker.await(1, List.of(), words);
            assertThat(ticker.missed()).isGreaterThanOrEqualTo(missed);
            for (int i = 0; i < 3; i++) {
                long deadlineNs = ticker.deadlineNs();
                ticker.await(1, List.of(), words);
                assertThat(ticker.nowNs()).isGreaterThanOrEqualTo(deadlineNs);
                assertThat(ticker.deadlineNs() % MS).isEqualTo(gridNs);
                assertThat(ticker.deadlineNs() - ticker.nowNs()).isBetween(1L, MS);
            }
        }
    }

    @Test
    void shouldSleepWithoutTimersOnceTheyAreClosed() {
        SampleTimer ticker = started(true);
        ticker.await(3, List.of(), words);
        assertThat(ticker.hasTimers()).isTrue();
        ticker.close();
        assertThat(ticker.hasTimers()).isFalse();
        long firstNs = ticker.deadlineNs();
        ticker.await(3, List.of(), words);

        assertThat(ticker.ticks()).isEqualTo(3);
        assertThat(ticker.nowNs()).isGreaterThanOrEqualTo(firstNs + 2 * MS);
    }

    @Test
    void shouldEndWithATickThatIsLate() {
        SampleTimer ticker = started(1);
        ticker.await(MANY_TICKS, List.of(), words);

        assertThat(ticker.isAlarmed()).isTrue();
        assertThat(ticker.ticks()).isLessThan(MANY_TICKS);
        assertThat(ticker.nowNs() - ticker.maxLateDeadlineNs()).isEqualTo(ticker.maxLatenessNs());
    }

    @Test
    void shouldHearACounterOnceWhenItHasChanged() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        words.addCounter(memory, 0);
        assertNotHeard(ticker);

        memory.putLong(0, 17);
        assertHeardAtOnce(ticker);

        assertNotHeard(ticker);
    }

    @Test
    void shouldHearATimeWhileItIsLongAgo() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        words.addTime(memory, 0, 5 * MS);
        memory.putLong(0, DutyCycleLayout.NOT_BEATING);
        assertNotHeard(ticker);

        memory.putLong(0, System.nanoTime() + LATER_NS);
        assertNotHeard(ticker);

        memory.putLong(0, System.nanoTime() - 5 * MS);
        assertHeardAtOnce(ticker);
        assertHeardAtOnce(ticker);
    }

    @Test
    void shouldHearOnceMoreWhenASilenceHasEnded() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        words.addTime(memory, 0, 5 * MS);
        memory.putLong(0, System.nanoTime() - 5 * MS);
        assertHeardAtOnce(ticker);

        memory.putLong(0, System.nanoTime() + LATER_NS);
        assertHeardAtOnce(ticker);

        assertNotHeard(ticker);
    }

    @Test
    void shouldNoteAWordAtItsPeriodAndAskForRoomWhenThereIsNone() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        long beginNs = System.nanoTime();
        int room = 3;
        ReadingBuffer log = new ReadingBuffer(beginNs, 5 * MS, room);
        assertThat(words.addLogged(memory, 8, log)).isTrue();
        memory.putLong(8, 42);
        ticker.await(2, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();

        ticker.await(MANY_TICKS, List.of(), words);
        assertThat(ticker.isAlarmed()).isTrue();
        memory.putLong(8, 43);
        ticker.await(MANY_TICKS, List.of(), words);
        assertThat(ticker.ticks()).isEqualTo(1);
        List<Long> times = new ArrayList<>();
        log.take((timeNs, value) -> {
            assertThat(value).isEqualTo(42);
            times.add(timeNs);
        });

        assertThat(times).isSorted().hasSize(room).allMatch(timeNs -> timeNs >= beginNs + 5 * MS);
        ticker.await(1, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();
        log.take((timeNs, value) -> assertThat(value).isEqualTo(43));
    }

    @Test
    void shouldReadAMappedNumberBetweenTwoCalls() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        CounterReader readings = new CounterReader(new MappedCounter(memory, 8), 5 * MS);
        assertThat(readings.periodNs()).isEqualTo(5 * MS);
        readings.addTo(words);
        assertThat(readings.periodNs()).isEqualTo(Instrument.CALM_PERIOD_NS);
        memory.putLong(8, 42);
        ticker.await(20, List.of(), words);
        List<Long> times = new ArrayList<>();
        readings.take(ticker.nowNs(), (timeNs, value) -> {
            assertThat(value).isEqualTo(42);
            times.add(timeNs);
        });

        assertThat(times).isSorted().hasSizeGreaterThan(1).allMatch(timeNs -> timeNs <= ticker.nowNs());
    }

    @Test
    void shouldReadAnyOtherNumberWhenItIsAsked() {
        CounterReader readings = new CounterReader(() -> 17, 5 * MS);
        readings.addTo(words);
        assertThat(readings.periodNs()).isEqualTo(5 * MS);
        List<Long> seen = new ArrayList<>();
        readings.take(3, (timeNs, value) -> seen.addAll(List.of(timeNs, value)));

        assertThat(words.count()).isZero();
        assertThat(seen).containsExactly(3L, 17L);
    }

    /** Whether its owner may block in it makes no difference. */
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
        SocketPollTable.FiguresConsumer consumer = (timeNs, socket) -> {
            if (socket.identity().localPort() == port) {
                times.add(timeNs);
                depths.add(socket.depthBytes());
                drops.add(socket.drops());
            }
        };
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        try (SocketSource source =
                SocketSources.PIDFD.open(ProcessHandle.current().pid())) {
            source.sample();
            List<SocketPollTable> pollTables = List.of(source.pollTable());
            ticker.await(3, pollTables, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 3);
            ticker.await(3, pollTables, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);
            assertThat(depths.get(depths.size() - 1)).isPositive();
            assertThat(drops.get(drops.size() - 1)).isZero();

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1_000);
            ticker.await(MANY_TICKS, pollTables, words);
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
            ticker.await(3, pollTables, words);
            assertThat(ticker.isAlarmed()).isFalse();
            source.sample(ticker.nowNs(), consumer);
        }

        assertThat(depths.get(depths.size() - 1)).isZero();
        assertThat(times).isSorted().hasSizeGreaterThanOrEqualTo(5);
    }

    /** A socket that is not read holds less than its floor here, so that nothing but the two looks tells it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTickSeldomUntilASocketIsNotRead(boolean onTimers) throws IOException {
        DatagramChannel receiver = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        DatagramChannel sender = sockets.bound(StandardProtocolFamily.INET, "127.0.0.1");
        receiver.configureBlocking(false);
        SampleTimer ticker = started(onTimers);
        ticker.setCalmPeriods(4);
        try (SocketSource source =
                SocketSources.PIDFD.open(ProcessHandle.current().pid())) {
            source.sample();
            List<SocketPollTable> pollTables = List.of(source.pollTable());
            ticker.await(16, pollTables, words);
            assertThat(ticker.ticks()).isEqualTo(16);
            long firstNs = ticker.deadlineNs();
            ticker.await(40, pollTables, words);
            assertThat(ticker.ticks()).isEqualTo(10);
            assertThat(ticker.deadlineNs()).isEqualTo(firstNs + (3 + 40 + 4 * ticker.missed()) * MS);

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 1);
            ticker.await(40, pollTables, words);
            assertThat(ticker.ticks()).isEqualTo(2 + 32);

            assertThat(receiver.receive(ByteBuffer.allocate(200))).isNotNull();
            ticker.await(16 + 40, pollTables, words);
            assertThat(ticker.ticks()).isEqualTo(16 + 10);

            TestSockets.send(sender, (InetSocketAddress) receiver.getLocalAddress(), 10);
            ticker.await(40, pollTables, words);
            assertThat(ticker.ticks()).isEqualTo(1 + 36);
        }
    }

    @Test
    void shouldTickAtEachPeriodAfterAWordWasHeard() {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        ticker.setCalmPeriods(4);
        words.addCounter(memory, 0);
        ticker.await(16, List.of(), words);
        ticker.await(40, List.of(), words);
        assertThat(ticker.ticks()).isEqualTo(10);

        memory.putLong(0, 17);
        assertHeardAtOnce(ticker);
        ticker.await(16, List.of(), words);
        assertThat(ticker.ticks()).isEqualTo(16);
    }

    private void assertHeardAtOnce(SampleTimer ticker) {
        ticker.await(MANY_TICKS, List.of(), words);
        assertThat(ticker.isAlarmed()).isTrue();
        assertThat(ticker.ticks()).isEqualTo(1);
    }

    private void assertNotHeard(SampleTimer ticker) {
        ticker.await(3, List.of(), words);
        assertThat(ticker.isAlarmed()).isFalse();
        assertThat(ticker.ticks()).isEqualTo(3);
    }

    private SampleTimer started(boolean onTimers) {
        SampleTimer ticker = started(SampleTimer.NO_ALARM);
        if (onTimers) {
            ticker.openTimers();
            tickers.add(ticker);
        }
        assertThat(ticker.hasTimers()).isEqualTo(onTimers);
        return ticker;
    }

    private static void awaitNs(long ns) {
        while (System.nanoTime() - ns < 0) {
            Thread.onSpinWait();
        }
    }

    private static SampleTimer started(long alarmLatenessNs) {
        SampleTimer ticker = new SampleTimer(SystemNanoClock.INSTANCE, MS, alarmLatenessNs);
        ticker.start();
        return ticker;
    }
}
