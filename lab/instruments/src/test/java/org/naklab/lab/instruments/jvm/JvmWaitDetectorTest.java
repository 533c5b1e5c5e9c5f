package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.linux.MonotonicConverter;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.lab.instruments.threads.WatchedThreads;
import org.naklab.testing.Await;

@Timeout(120)
class JvmWaitDetectorTest {
    private static final Duration THRESHOLD = Duration.ofMillis(10);
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final String WATCHED = "receives-the-feed";
    private static final JvmWaitDetector.Wait SLEPT = new JvmWaitDetector.Wait(AccountKind.SLEEP, "slept", "");

    private final EventLog events = new EventLog();
    private final Object lock = new Object();
    private volatile boolean isOver;

    /** Something that a thread waits for, for longer than the threshold. */
    private interface Waiting {
        void await() throws InterruptedException;
    }

    @Test
    void shouldTellASleep() throws InterruptedException {
        assertThat(firstWait(() -> Thread.sleep(30)).detail("what")).isEqualTo("slept");
    }

    @Test
    void shouldTellAPark() throws InterruptedException {
        assertThat(firstWait(() -> LockSupport.parkNanos(lock, LONG_NS)).detail("what"))
                .isEqualTo("parked for java.lang.Object");
    }

    @Test
    void shouldTellALockAndWhoHeldIt() throws InterruptedException {
        Thread holder = repeating("holds-the-lock", () -> {
            synchronized (lock) {
                Thread.sleep(30);
            }
            LockSupport.parkNanos(1_000);
        });
        try {
            assertThat(firstWait(this::takeLock).detail("what"))
                    .isEqualTo("waited for the lock of java.lang.Object, held by holds-the-lock");
        } finally {
            end(holder);
        }
    }

    @Test
    void shouldTellWhereAndForHowLong() throws InterruptedException {
        long beforeNs = System.nanoTime();
        TimelineEvent wait = firstWait(() -> Thread.sleep(30));

        assertThat(wait.thread()).isEqualTo(WATCHED);
        assertThat(wait.timeNs()).isBetween(beforeNs, System.nanoTime());
        assertThat(wait.longDetail("durationNs", 0)).isGreaterThanOrEqualTo(LONG_NS);
        assertThat(wait.detail("where")).asString().startsWith(JvmWaitDetectorTest.class.getName());
        assertThat(wait.detail("stack"))
                .asString()
                .contains("java.lang.Thread.run")
                .contains(" < ");
    }

    @Test
    void shouldNotTellOfOtherThreads() throws InterruptedException {
        Thread other = repeating("idles", () -> Thread.sleep(20));
        try {
            firstWait(() -> Thread.sleep(100));
        } finally {
            end(other);
        }
        assertThat(events.all()).extracting(TimelineEvent::thread).containsOnly(WATCHED);
    }

    /** Names that were found from outside are cut. */
    @Test
    void shouldKnowAThreadByWhatTheKernelKeepsOfItsName() {
        assertThat(WatchedThreads.of("receives-the-fe").contains(WATCHED)).isTrue();
        assertThat(WatchedThreads.of(WATCHED).contains("receives-the-fe")).isTrue();
        assertThat(WatchedThreads.of(WATCHED).contains("receives")).isFalse();
    }

    @Test
    void shouldPointAtTheCodeThatCalledTheLibrary() {
        rule().tell(
                        WATCHED,
                        0,
                        Instant.EPOCH,
                        Duration.ofSeconds(1),
                        SLEPT,
                        List.of(
                                "java.lang.Thread.sleep:1",
                                "jdk.internal.X.y:2",
                                "org.acme.Feed.onMessage:3",
                                "org.acme.Main.main:4"));
        assertThat(events.all().get(0).detail("where")).isEqualTo("org.acme.Feed.onMessage:3");
    }

    @Test
    void shouldPointAtTheInnermostFrameWhereAllIsLibrary() {
        rule().tell(WATCHED, 0, Instant.EPOCH, Duration.ofSeconds(1), SLEPT, List.of("java.lang.Thread.sleep:1"));
        rule().tell(WATCHED, 0, Instant.EPOCH, Duration.ofSeconds(1), SLEPT, List.of());
        assertThat(events.all())
                .extracting(event -> event.detail("where"))
                .containsExactly("java.lang.Thread.sleep:1", "");
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.concurrent.locks.ReentrantLock$NonfairSync, LOCK",
        "java.util.concurrent.locks.ReentrantReadWriteLock$FairSync, LOCK",
        "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, SLEEP",
        "org.acme.Sync, SLEEP",
        "'', SLEEP"
    })
    void shouldCallAParkOfALockALock(String type, AccountKind kind) {
        JvmWaitDetector.Wait wait = JvmWaitDetector.parked(type);
        assertThat(wait.kind()).isEqualTo(kind);
        assertThat(wait.what()).isEqualTo(type.isEmpty() ? "parked" : "parked for " + type);
    }

    private JvmWaitDetector rule() {
        return new JvmWaitDetector("mds", WatchedThreads.of(WATCHED), events, MonotonicConverter.ofSystem());
    }

    /** Of a thread that waits again and again: JFR tells of what began when it was already at work. */
    private TimelineEvent firstWait(Waiting waiting) throws InterruptedException {
        try (JvmInstrument jvm = JvmInstrument.ofThisProcess("lab", THRESHOLD, WatchedThreads.of(WATCHED), events)) {
            Thread thread = repeating(WATCHED, waiting);
            try {
                Await.until(
                        "a wait", () -> !events.of(TimelineEventType.JAVA_WAIT).isEmpty());
            } finally {
                end(thread);
            }
            assertThat(jvm.describe()).contains("waits");
        }
        return events.of(TimelineEventType.JAVA_WAIT).get(0);
    }

    private void takeLock() {
        synchronized (lock) {
            Thread.onSpinWait();
        }
    }

    private Thread repeating(String name, Waiting waiting) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!isOver) {
                            waiting.await();
                        }
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private void end(Thread thread) throws InterruptedException {
        isOver = true;
        thread.join();
    }
}
