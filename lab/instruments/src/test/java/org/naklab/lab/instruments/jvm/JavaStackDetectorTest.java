package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.testing.Await;

@Timeout(120)
final class JavaStackDetectorTest {
    private static final long MS = 1_000_000;
    private static final long SAMPLED_NS = 500 * MS;
    private static final String WATCHED = "receives-the-feed";
    private static final String CLOCK = "clock";

    private final EventLog events = new EventLog();
    private final JavaStackDetector detector =
            new JavaStackDetector("mds", WatchedThreads.of(WATCHED), events, MonotonicConverter.ofSystem());

    @Test
    void shouldJoinSamplesOfOneMethod() {
        sample(100, true, "sun.nio.ch.X.receive0", "a.Feed.poll:7", "a.Feed.run:3");
        sample(130, true, "sun.nio.ch.X.receive0", "a.Feed.poll:9", "a.Feed.run:3");
        sample(180, true, "sun.nio.ch.X.receive0", "a.Feed.poll:7", "a.Feed.run:3");
        sample(200, true, "b.Other.call:1", "a.Feed.run:3");

        assertThat(events.all()).singleElement().satisfies(stack -> {
            assertThat(stack.type()).isEqualTo(TimelineEventType.JAVA_STACK);
            assertThat(stack.interval()).isEqualTo(new Interval(100 * MS, 180 * MS));
            assertThat(stack.detail("native")).isEqualTo(true);
            assertThat(stack.detail("where")).isEqualTo("a.Feed.poll:7");
            assertThat(stack.detail("stack")).isEqualTo("sun.nio.ch.X.receive0 < a.Feed.poll:7 < a.Feed.run:3");
        });
    }

    @Test
    void shouldNotJoinSamplesThatAreFarApartOrOfAnotherState() {
        sample(100, true, "a.Feed.poll:7");
        sample(250, true, "a.Feed.poll:7");
        sample(260, false, "a.Feed.poll:7");
        detector.finish();

        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportAtTheEndWhatGoesOn() {
        sample(100, false, "a.Feed.count:7");
        sample(120, false, "a.Feed.count:8");
        assertThat(events.all()).isEmpty();
        detector.finish();
        detector.finish();

        assertThat(events.all()).singleElement().satisfies(stack -> assertThat(stack.detail("native"))
                .isEqualTo(false));
    }

    /** Of threads of a JVM: one in native code, one in Java code. */
    @Test
    void shouldTellWhatJavaCodeAThreadIsIn() throws Exception {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(stackOf(() -> receive(channel), false)).satisfies(stack -> {
                assertThat(stack.detail("native")).isEqualTo(true);
                assertThat(stack.textDetail("where")).startsWith(JavaStackDetectorTest.class.getName() + ".receive");
            });
        }
        assertThat(stackOf(JavaStackDetectorTest::count, true)).satisfies(stack -> {
            assertThat(stack.detail("native")).isEqualTo(false);
            assertThat(stack.textDetail("where")).startsWith(JavaStackDetectorTest.class.getName() + ".count");
        });
    }

    /**
     * Runs code, which ends when its thread is interrupted, and returns its longest stack: its beginning and its end may be sampled too. Code that runs has
     * that long on a CPU, however busy the machine is. The waits of a second thread tell up to when JFR has delivered.
     */
    private static TimelineEvent stackOf(Runnable code, boolean runs) throws InterruptedException {
        EventLog own = new EventLog();
        Thread thread = new Thread(code, WATCHED);
        Thread clock = new Thread(JavaStackDetectorTest::sleepAgainAndAgain, CLOCK);
        try (JvmInstrument jvm =
                JvmInstrument.ofThisProcess("lab", Duration.ofMillis(10), WatchedThreads.of(WATCHED, CLOCK), own)) {
            assertThat(jvm.describe()).contains("Java stacks");
            thread.start();
            clock.start();
            Await.until("CPU time of the thread", () -> !runs || cpuNs(thread) >= SAMPLED_NS);
            awaitDelivery(own, System.nanoTime() + SAMPLED_NS);
            thread.interrupt();
            thread.join();
            clock.interrupt();
            clock.join();
        }
        return own.of(TimelineEventType.JAVA_STACK).stream()
                .max(Comparator.comparingDouble(stack -> stack.interval().lengthNs()))
                .orElseThrow(() -> new AssertionError("no stack"));
    }

    private static long cpuNs(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    }

    private static void awaitDelivery(EventLog log, long untilNs) {
        Await.until("what JFR recorded until then", () -> log.of(TimelineEventType.JAVA_WAIT).stream()
                .anyMatch(wait -> wait.thread().equals(CLOCK) && wait.timeNs() > untilNs));
    }

    private static void sleepAgainAndAgain() {
        try {
            while (true) {
                Thread.sleep(30);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void receive(DatagramChannel channel) {
        try {
            channel.receive(ByteBuffer.allocate(10));
        } catch (IOException interrupted) {
            assertThat(channel.isOpen()).isFalse();
        }
    }

    private static void count() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    private void sample(long atMs, boolean isNative, String... frames) {
        detector.take(WATCHED, 0, atMs * MS, isNative, List.of(frames));
    }
}
