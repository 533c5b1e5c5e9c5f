package org.naklab.lab.instruments.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadEvent.ThreadSample;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.testing.events.Samples;

@Timeout(60)
class ReceiverStallDetectorTest {
    private static final long MS = 1_000_000;
    private static final long SOCKET = 4_711;
    private static final long OTHER_SOCKET = 4_712;

    private final List<TimelineEvent> events = new ArrayList<>();
    private Set<String> readers = Set.of("recv");
    private boolean isAlive = true;
    private final ReceiverStallDetector detector =
            new ReceiverStallDetector("receiver", inode -> readers, () -> isAlive, events::add);

    @Test
    void shouldReportTheReaderThatWaitedWhileItsSocketWasUnread() {
        absent("recv", 1_000, 1_300);
        unread(SOCKET, 999, 1_299, 0, false);
        detector.refresh(1_500 * MS);
        assertThat(stalls()).isEmpty();

        detector.refresh(1_600 * MS);

        assertThat(stalls()).hasSize(1);
        assertThat(stalls().get(0).thread()).isEqualTo("recv");
        assertThat(stalls().get(0).interval()).isEqualTo(new Interval(999 * MS, 1_300 * MS));
        assertThat(events).extracting(TimelineEvent::type).contains(TimelineEventType.THREAD_ABSENT);
    }

    @Test
    void shouldWaitForARecordOfTheKernelThatComesLate() {
        unread(SOCKET, 1_000, 1_299, 0, false);
        detector.refresh(3_000 * MS);
        assertThat(stalls()).isEmpty();

        absent("recv", 1_000, 1_300);
        detector.refresh(3_100 * MS);

        assertThat(stalls()).hasSize(1);
        assertThat(events).extracting(TimelineEvent::type).contains(TimelineEventType.THREAD_ABSENT);
    }

    /** On a busy machine, the kernel's records come late. */
    @Test
    void shouldNameTheThreadHoweverLateItsRecordsCome() {
        AtomicLong recordedMs = new AtomicLong(1_250);
        ReceiverStallDetector late = detector("client", new StandstillClaims(), recordedMs);
        unpolled(late, 1_000, 1_300, 1, true);
        late.refresh(4_000 * MS);
        late.refresh(16_000 * MS);
        assertThat(stalls()).isEmpty();
        assertThat(late.toldNs(16_000 * MS)).isEqualTo(1_000 * MS);

        absent(late, "poller", 1_000, 1_300);
        recordedMs.set(16_000);
        late.refresh(16_100 * MS);

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller");
        assertThat(blind()).isEmpty();
        assertThat(late.toldNs(16_200 * MS)).isEqualTo(13_600 * MS);
    }

    /** A second record may show another thread away, or the same one for longer. */
    @Test
    void shouldNotNameAThreadBeforeTheRecordsOfTheWholeStallHaveCome() {
        AtomicLong recordedMs = new AtomicLong(1_250);
        readers = Set.of("first", "second");
        ReceiverStallDetector late = detector("receiver", new StandstillClaims(), recordedMs);
        absent(late, "first", 1_000, 1_160);
        unread(late, 1_000, 1_299);
        late.refresh(1_700 * MS);
        assertThat(stalls()).isEmpty();

        absent(late, "second", 1_000, 1_300);
        recordedMs.set(1_650);
        late.refresh(1_800 * MS);

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("second");
    }

    @Test
    void shouldSayOnceThatTheRecorderIsBehindIfItsRecordsNeverCome() {
        AtomicLong recordedMs = new AtomicLong(900);
        ReceiverStallDetector late = detector("client", new StandstillClaims(), recordedMs);
        unpolled(late, 1_000, 1_300, 1, true);
        unpolled(late, 2_000, 2_300, 1, true);
        late.refresh(16_300 * MS);
        assertThat(stalls()).isEmpty();

        late.refresh(16_301 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEmpty();
            assertThat(stall.durationNs()).isEqualTo(300 * MS);
        });
        assertThat(blind()).singleElement().satisfies(event -> assertThat(event.textDetail("reason"))
                .isEqualTo("the kernel recorder is more than 15 s behind: which thread stood still meanwhile,"
                        + " and why, is not known"));
        late.refresh(17_301 * MS);
        assertThat(stalls()).hasSize(2);
        assertThat(blind()).hasSize(1);

        recordedMs.set(17_500);
        late.refresh(17_600 * MS);
        unpolled(late, 18_000, 18_300, 1, true);
        late.refresh(33_400 * MS);
        assertThat(blind()).as("it had come").hasSize(2);
    }

    /** The thread that fits best may be in a process whose records come late. */
    @Test
    void shouldWaitForTheRecordsOfAllProcessesThatMayContainTheClient() {
        StandstillClaims claims = new StandstillClaims();
        AtomicLong recordedMs = new AtomicLong(1_000);
        ReceiverStallDetector driver = detector("driver", claims, new AtomicLong(30_000));
        ReceiverStallDetector client = detector("client", claims, recordedMs);
        client.refresh(1_200 * MS);
        absent(driver, "Monitor Deflati", 1_050, 1_301);
        unpolled(driver, 1_001, 1_300, 2, true);
        unpolled(client, 1_001, 1_300, 2, false);
        driver.refresh(5_000 * MS);
        client.refresh(5_000 * MS);
        assertThat(stalls()).isEmpty();

        absent(client, "poller", 1_000, 1_300);
        recordedMs.set(5_400);
        client.refresh(5_500 * MS);
        driver.refresh(5_600 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.process()).isEqualTo("client");
            assertThat(stall.thread()).isEqualTo("poller");
        });
    }

    @Test
    void shouldNotWaitForTheRecordsOfAProcessThatIsNotWatchedAnyMore() {
        StandstillClaims claims = new StandstillClaims();
        ReceiverStallDetector driver = detector("driver", claims, new AtomicLong(30_000));
        ReceiverStallDetector client = detector("client", claims, new AtomicLong(1_000));
        client.refresh(1_200 * MS);
        client.close();
        unpolled(driver, 1_001, 1_300, 2, true);
        driver.refresh(5_000 * MS);

        assertThat(stalls()).extracting(TimelineEvent::process).containsExactly("driver");
    }

    private ReceiverStallDetector detector(String process, StandstillClaims claims, AtomicLong recordedMs) {
        return new ReceiverStallDetector(
                process,
                inode -> readers,
                () -> isAlive,
                nowNs -> recordedMs.get() * MS,
                claims,
                WatchedThreads.of(),
                new ThreadLabels(),
                events::add);
    }

    private List<TimelineEvent> blind() {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.INSTRUMENT_BLIND)
                .toList();
    }

    @Test
    void shouldPassOnOnlyAbsencesOfTheStall() {
        absent("recv", 100, 200);
        absent("idle", 1_000, 1_300);
        absent("recv", 1_000, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);

        detector.close();

        assertThat(events)
                .filteredOn(event -> event.type() == TimelineEventType.THREAD_ABSENT)
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.thread()).isEqualTo("recv");
                    assertThat(event.timeNs()).isEqualTo(1_000 * MS);
                });
    }

    @Test
    void shouldReportABusyReaderOfASocketThatWasEmpty() {
        unread(SOCKET, 1_000, 1_100, 0, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.durationNs())
                .isEqualTo(100 * MS));
    }

    @Test
    void shouldNotReportABusyReaderIfNobodyLookedAtItsSocketMeanwhile() {
        unread(SOCKET, 1_000, 1_100, 0, 30, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldBeginWhenTheDatagramWokeTheReader() {
        absent("recv", 900, 1_050, "__skb_wait_for_more_packets");
        absent("recv", 1_051, 1_300, "futex_do_wait");
        unread(SOCKET, 1_000, 1_299, 0, 50, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_050 * MS, 1_300 * MS)));
    }

    @Test
    void shouldNotCountTheTimeBeforeTheReaderWaitedForDatagramsAgain() {
        absent("recv", 1_001, 1_100, "futex_do_wait");
        absent("recv", 1_101, 1_150, "ep_poll");
        absent("recv", 1_151, 1_400, "futex_do_wait");
        unread(SOCKET, 1_000, 1_399, 0, 50, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_150 * MS, 1_400 * MS)));
    }

    /** In {@code poll} or {@code recv}, a thread waits for other sockets too: the answer of a name server. */
    @ParameterizedTest
    @ValueSource(strings = {"do_sys_poll", "ep_poll", "__skb_wait_for_more_packets"})
    void shouldReportAReaderThatWaitedForAnotherSocketWhileItsOwnHeldDatagrams(String function) {
        absent("recv", 900, 999, "__skb_wait_for_more_packets");
        absent("recv", 1_001, 1_300, function);
        unread(SOCKET, 1_000, 1_299, 0, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_000 * MS, 1_300 * MS)));
    }

    @Test
    void shouldNotReportAReaderThatWaitedForDatagramsWhileNobodyLookedAtItsSocket() {
        absent("recv", 1_001, 1_250, "do_sys_poll");
        unread(SOCKET, 1_000, 1_299, 0, 299, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldNotReportABusyReaderThatCatchesUp() {
        unread(SOCKET, 1_000, 1_100, 50_000, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldReportAShortStallOnlyIfDatagramsWereDropped() {
        absent("recv", 1_000, 1_010);
        unread(SOCKET, 1_000, 1_010, 0, false);
        detector.refresh(1_500 * MS);
        assertThat(stalls()).isEmpty();

        absent("recv", 2_000, 2_010);
        detector.onEvent(TimelineEvent.of(
                2_009 * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                "receiver",
                Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("inode", SOCKET, "datagrams", 3L))));
        unread(SOCKET, 2_000, 2_010, 0, false);
        detector.refresh(2_500 * MS);

        assertThat(stalls()).hasSize(1);
    }

    @Test
    void shouldReportOneStallOfAThreadThatReadsTwoSockets() {
        absent("recv", 1_000, 1_200);
        absent("recv", 1_201, 1_300);
        unread(SOCKET, 1_000, 1_199, 0, false);
        unread(OTHER_SOCKET, 1_100, 1_299, 0, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_000 * MS, 1_300 * MS)));
    }

    @Test
    void shouldTakeTheReaderThatWasAway() {
        readers = Set.of("first", "second");
        absent("second", 1_000, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("second");
    }

    /** In a Go program, each thread that runs goroutines reads the socket at times. */
    @Test
    void shouldNotTakeAReaderThatHadBeenIdleLongBefore() {
        readers = Set.of("idle", "second");
        absent("idle", 500, 1_300);
        absent("second", 1_010, 1_290);
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("second");
    }

    /** Where datagrams are rare, a reader may be away long before one comes. */
    @Test
    void shouldTakeTheOnlyReaderHoweverLongItWasAway() {
        absent("recv", 500, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("recv");
    }

    @Test
    void shouldTakeTheThreadThatCameBackWhenTheSocketDrainedIfNobodyWasSeenWaiting() {
        readers = Set.of();
        absent("idle", 500, 2_000);
        absent("spinning", 1_000, 1_300);
        unread(SOCKET, 1_000, 1_299, 0, false);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("spinning");
    }

    /** The other spinning thread reads another socket, and the one that works never read any. */
    @Test
    void shouldTakeTheSpinningThreadThatWorkedOnSomethingElse() {
        readers = Set.of();
        sample("spinning", 0, 1_000, "__skb_recv_udp", "udp_recvmsg", "inet_recvmsg");
        sample("spinning", 1_000, 1_300);
        sample("other", 0, 2_000, "udp_recvmsg", "inet_recvmsg");
        sample("worker", 0, 2_000, "udp_sendmsg", "inet_sendmsg");
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("spinning");
        assertThat(events)
                .filteredOn(event -> event.type() == TimelineEventType.THREAD_SAMPLED)
                .isNotEmpty()
                .allMatch(event -> event.thread().equals("spinning"));
    }

    /** JFR is asked for the stacks of these threads. */
    @Test
    void shouldTellWhichThreadsTakeDatagrams() {
        WatchedThreads polled = WatchedThreads.of();
        ReceiverStallDetector own = new ReceiverStallDetector(
                "receiver",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                new StandstillClaims(),
                polled,
                new ThreadLabels(),
                events::add);
        own.onEvent(new ThreadSample("receiver", "spinning", MS, List.of("udp_recvmsg"), List.of()));
        own.onEvent(new ThreadSample("receiver", "worker", MS, List.of("udp_sendmsg"), List.of()));
        own.refresh(0);

        assertThat(polled.contains("spinning")).isTrue();
        assertThat(polled.contains("worker")).isFalse();
    }

    @Test
    void shouldNotChooseBetweenTwoSpinningThreadsThatWorkedOnSomethingElse() {
        readers = Set.of();
        sample("spinning", 0, 1_000, "udp_recvmsg");
        sample("spinning", 1_000, 1_300);
        sample("other", 0, 1_000, "udp_recvmsg");
        sample("other", 1_000, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    /** A thread that is seldom in the kernel's functions may go on polling without being seen there. */
    @Test
    void shouldNotTakeASpinningThreadThatMayHaveGoneOn() {
        readers = Set.of();
        sample("spinning", 0, 900);
        sample("spinning", 900, 1_000, "udp_recvmsg");
        sample("spinning", 1_000, 1_200);
        unread(SOCKET, 1_000, 1_200, 0, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldReportAReaderThatIsSlowerThanItsDatagrams() {
        sample("recv", 900, 2_200);
        dropEachTenth(1_000, 1_600);
        detector.refresh(4_500 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEqualTo("recv");
            assertThat(stall.interval()).isEqualTo(new Interval(1_000 * MS, 1_600 * MS));
            assertThat(stall.detail("overflow")).isEqualTo(true);
        });
        assertThat(samples()).hasSize(60);
    }

    /** A reader that was always too slow is never seen waiting for its socket, but taking datagrams of it. */
    @Test
    void shouldFindASlowReaderByTheDatagramsThatItTakes() {
        readers = Set.of();
        sample("worker", 900, 2_000);
        sample("feed", 900, 1_590);
        sample("feed", 1_590, 1_600, "udp_recvmsg");
        dropEachTenth(1_000, 1_600);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("feed");
    }

    @Test
    void shouldSplitALongOverflowAndPassEachRecordOnOnce() {
        sample("recv", 900, 5_000);
        dropEachTenth(1_000, 3_500);
        detector.close();

        assertThat(stalls()).hasSize(3);
        assertThat(stalls()).allMatch(stall -> stall.durationNs() <= Overflows.LONGEST_NS);
        assertThat(samples()).doesNotHaveDuplicates();
    }

    @Test
    void shouldNotReportASlowReaderInAndAfterAStall() {
        absent("recv", 1_000, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);
        sample("recv", 1_300, 1_500);
        dropEachTenth(1_100, 1_400);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.detail("overflow"))
                .isNull());
    }

    /** It may be away: its record comes when it is back. */
    @Test
    void shouldNotReportAnOverflowOfAReaderOfWhichNothingIsKnown() {
        dropEachTenth(1_000, 1_600);
        detector.refresh(4_500 * MS);
        assertThat(stalls()).isEmpty();

        absent("recv", 950, 6_000);
        unread(SOCKET, 950, 6_000, 0, false);
        detector.refresh(9_000 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.durationNs())
                .isEqualTo(5_050 * MS));
    }

    @Test
    void shouldNotReportAShortOverflow() {
        sample("recv", 900, 1_200);
        drop(1_000, 1_000);
        drop(1_010, 1_015);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    /** Its buffer is too small for what comes in at once: a wait for the next datagram is no reason. */
    @ParameterizedTest
    @ValueSource(strings = {"__skb_wait_for_more_packets", "ep_poll", "do_poll", "do_select"})
    void shouldNotCallAReaderSlowThatWaitsForDatagrams(String function) {
        for (long atMs = 900; atMs < 1_700; atMs += 100) {
            absent("recv", atMs, atMs + 95, function);
        }
        dropEachTenth(1_000, 1_600);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    /** A signal stops all threads of a process, and one of them is the poller. */
    @Test
    void shouldNameThePollerOfAProcessThatWasStopped() {
        absent("poller", 1_000, 1_300);
        unpolled(1_000, 1_300, 1, true);
        detector.refresh(4_000 * MS);
        stopped("Sweeper", "poller");
        unpolled(5_000, 5_900, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller", "poller");
    }

    /** It never stood still before, but did something all the time. */
    @Test
    void shouldNameTheThreadThatWasBusyBeforeTheProcessWasStopped() {
        absent("Sweeper", 3_500, 4_900);
        for (long atMs = 4_600; atMs < 5_000; atMs += 10) {
            absent("poller", atMs, atMs + 6);
        }
        stopped("Sweeper", "poller");
        unpolled(5_000, 5_900, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller");
    }

    /** A thread that looks for work each hundredth of a second was taken for the poller in a short standstill, in which the poller lost the CPU twice. */
    @Test
    void shouldNotNameAThreadThatComesAndGoesWhileThePollerIsAwayOnce() {
        absent("poller", 500, 509);
        absent("poller", 510, 520);
        absent("conductor", 503, 521);
        unpolled(500, 521, 1, true);
        detector.refresh(4_000 * MS);
        for (long atMs = 5_000; atMs < 5_280; atMs += 17) {
            absent("conductor", atMs, atMs + 16);
        }
        absent("poller", 5_000, 5_300);
        unpolled(5_000, 5_299, 1, true);
        detector.close();

        assertThat(stalls()).last().extracting(TimelineEvent::thread).isEqualTo("poller");
    }

    /** Only the poller moves the position of a subscription. */
    @Test
    void shouldNotNameAThreadThatWasAwayWhileThePositionMoved() {
        absent("conductor", 650, 790);
        unpolled(700, 710, 1, true);
        absent("conductor", 1_002, 1_299);
        absent("poller", 1_010, 1_300);
        unpolled(1_000, 1_300, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller");
    }

    /** Several waits in one handler are known to be those of the poller if it polled before, and was there whenever the position moved. */
    @Test
    void shouldNameTheKnownPollerThatWaitedSeveralTimesInOneStandstill() {
        absent("poller", 500, 600);
        unpolled(500, 600, 1, true);
        detector.refresh(4_000 * MS);
        for (long atMs = 5_000; atMs < 5_300; atMs += 100) {
            absent("poller", atMs, atMs + 95);
        }
        absent("conductor", 5_250, 5_400);
        unpolled(5_000, 5_300, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller", "poller");
    }

    /** It was back before the position moved, and lost the CPU again. */
    @Test
    void shouldNameTheThreadThatLeftWhenThePositionStoodStillAndLostTheCpuAtItsEnd() {
        absent("reporter", 1_020, 1_250);
        absent("poller", 1_001, 1_260);
        absent("poller", 1_261, 1_298);
        unpolled(1_000, 1_299, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller");
    }

    private void stopped(String... threads) {
        Interval stopped = new Interval(5_000 * MS, 5_900 * MS);
        for (String thread : threads) {
            detector.onEvent(new ThreadAbsence(
                    "receiver",
                    thread,
                    stopped,
                    stopped.lengthNs(),
                    ThreadAbsence.State.STOPPED,
                    "kill",
                    false,
                    false,
                    "",
                    List.of(),
                    List.of()));
        }
    }

    private void dropEachTenth(long fromMs, long toMs) {
        for (long atMs = fromMs; atMs < toMs; atMs += 100) {
            drop(atMs, atMs + 100);
        }
    }

    private void drop(long fromMs, long seenMs) {
        detector.onEvent(TimelineEvent.of(
                fromMs * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                "receiver",
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DROPPED.form(),
                        Map.of("inode", SOCKET, "datagrams", 3L, "detectedNs", seenMs * MS))));
    }

    private List<TimelineEvent> samples() {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.THREAD_SAMPLED)
                .toList();
    }

    private void sample(String thread, long fromMs, long toMs, String... kernelStack) {
        for (long atMs = fromMs + 5; atMs < toMs; atMs += 10) {
            detector.onEvent(new ThreadSample("receiver", thread, atMs * MS, List.of(kernelStack), List.of("work")));
        }
    }

    @Test
    void shouldReportNothingOfAnUnknownReader() {
        readers = Set.of();
        absent("idle", 100, 1_300);
        unread(SOCKET, 1_000, 1_300, 0, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldReportAStallThatLastsUnlessTheProcessHasEnded() {
        unread(SOCKET, 1_000, 1_300, 0, true);
        detector.close();
        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.detail("lasting"))
                .isEqualTo(true));

        isAlive = false;
        unread(SOCKET, 2_000, 2_300, 0, true);
        detector.close();
        assertThat(stalls()).hasSize(1);
    }

    @Test
    void shouldPassOnTheJavaStackOfAStallOnly() {
        javaStack(100);
        absent("recv", 1_000, 1_300);
        javaStack(1_100);
        unread(SOCKET, 999, 1_299, 0, false);
        detector.refresh(1_600 * MS);

        assertThat(stalls()).hasSize(1);
        assertThat(events)
                .filteredOn(event -> event.type() == TimelineEventType.JAVA_STACK)
                .extracting(TimelineEvent::timeNs)
                .containsExactly(1_100 * MS);
    }

    private void javaStack(long atMs) {
        detector.onEvent(TimelineEvent.of(
                atMs * MS,
                TimelineEventType.JAVA_STACK,
                "receiver",
                "recv",
                Samples.whole(TimelineEventType.JAVA_STACK.form(), Map.of("durationNs", 50 * MS))));
    }

    @Test
    void shouldNameTheThreadThatCameBackWhenThePositionMoved() {
        absent("poller", 1_000, 1_300);
        absent("conductor", 1_200, 1_210);
        unpolled(1_000, 1_299, 1, true);
        detector.refresh(1_700 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEqualTo("poller");
            assertThat(stall.interval()).isEqualTo(new Interval(1_000 * MS, 1_300 * MS));
            assertThat(stall.detail("subscription")).isEqualTo("aeron:ipc stream 17");
        });
    }

    /** The poller wakes a compiler thread as soon as it is back itself, which is then back as well. */
    @Test
    void shouldNotNameAThreadThatThePollerWoke() {
        absent("poller", 1_000, 1_300);
        Interval woken = new Interval(999 * MS, 1_302 * MS);
        detector.onEvent(new ThreadAbsence(
                "receiver",
                "compiler",
                woken,
                woken.lengthNs(),
                ThreadAbsence.State.SLEEPING,
                "poller",
                true,
                false,
                "",
                List.of(),
                List.of()));
        unpolled(999, 1_301, 1, true);
        detector.close();

        assertThat(stalls()).extracting(TimelineEvent::thread).containsExactly("poller");
    }

    @Test
    void shouldNameTheThreadThatCameBackWhileTheSamplerHadNoCpu() {
        absent("poller", 1_000, 1_300);
        detector.onEvent(unpolledEvent(1_000, 1_280, 1, true, 1_310));
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEqualTo("poller");
            assertThat(stall.endNs()).isEqualTo(1_300 * MS);
        });
    }

    @Test
    void shouldReportAClientThatDidNotPollWithoutAKnownThread() {
        absent("other", 900, 1_100);
        unpolled(1_000, 1_300, 1, true);
        detector.refresh(2_000 * MS);
        assertThat(stalls()).isEmpty();

        detector.refresh(4_000 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEmpty();
            assertThat(stall.durationNs()).isEqualTo(300 * MS);
        });
        assertThat(events).noneMatch(event -> event.type() == TimelineEventType.THREAD_ABSENT);
    }

    @Test
    void shouldNotReportThatAClientDidNotPollForAShortTime() {
        absent("poller", 1_000, 1_015);
        unpolled(1_000, 1_015, 1, true);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    @Test
    void shouldReportOneProcessOfThoseThatMayContainTheClient() {
        StandstillClaims claims = new StandstillClaims();
        ReceiverStallDetector likeliest = new ReceiverStallDetector(
                "likeliest",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                claims,
                WatchedThreads.of(),
                new ThreadLabels(),
                events::add);
        ReceiverStallDetector other = new ReceiverStallDetector(
                "other",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                claims,
                WatchedThreads.of(),
                new ThreadLabels(),
                events::add);
        absent(other, "poller", 1_000, 1_300);
        unpolled(other, 1_000, 1_300, 2, false);
        unpolled(likeliest, 1_001, 1_301, 2, true);
        other.refresh(1_700 * MS);
        assertThat(stalls()).as("a better thread may come").isEmpty();
        likeliest.refresh(4_000 * MS);
        other.refresh(4_000 * MS);
        assertThat(stalls()).singleElement().extracting(TimelineEvent::process).isEqualTo("other");

        unpolled(other, 2_000, 2_300, 2, false);
        unpolled(likeliest, 2_001, 2_301, 2, true);
        other.close();
        likeliest.close();
        assertThat(stalls()).hasSize(2);
        assertThat(stalls().get(1).process()).isEqualTo("likeliest");
    }

    /** A thread of another process, which waits for a quarter of a second again and again, came back at about the same time. */
    @Test
    void shouldReportTheProcessWhoseThreadFitsBest() {
        StandstillClaims claims = new StandstillClaims();
        ReceiverStallDetector client = new ReceiverStallDetector(
                "client",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                claims,
                WatchedThreads.of(),
                new ThreadLabels(),
                events::add);
        ReceiverStallDetector driver = new ReceiverStallDetector(
                "driver",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                claims,
                WatchedThreads.of(),
                new ThreadLabels(),
                events::add);
        absent(client, "poller", 1_000, 1_300);
        absent(driver, "Monitor Deflati", 1_050, 1_301);
        unpolled(client, 1_001, 1_300, 2, false);
        unpolled(driver, 1_001, 1_300, 2, true);
        driver.refresh(1_700 * MS);
        client.refresh(1_800 * MS);
        driver.refresh(4_000 * MS);
        client.refresh(4_100 * MS);

        assertThat(stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.process()).isEqualTo("client");
            assertThat(stall.thread()).isEqualTo("poller");
        });
    }

    @Test
    void shouldNameAJavaThreadAsTheKernelDoes() {
        detector.onEvent(TimelineEvent.of(
                MS,
                TimelineEventType.JAVA_WAIT,
                "receiver",
                "market-data-receiver",
                Samples.whole(TimelineEventType.JAVA_WAIT.form(), Map.of("durationNs", MS))));

        assertThat(events).extracting(TimelineEvent::thread).containsExactly("market-data-rec");
        assertThat(events).extracting(event -> event.textDetail("javaThread")).containsExactly("market-data-receiver");
    }

    /** The threads of a pool have the same 15 characters. */
    @Test
    void shouldTellJavaThreadsApartThatTheKernelNamesAlike() {
        ThreadLabels labels = new ThreadLabels();
        labels.of(71, "nioEventLoopGro");
        labels.of(72, "nioEventLoopGro");
        ReceiverStallDetector own = new ReceiverStallDetector(
                "receiver",
                inode -> readers,
                () -> isAlive,
                nowNs -> nowNs,
                new StandstillClaims(),
                WatchedThreads.of(),
                labels,
                events::add);
        for (long tid : List.of(71L, 72L, 1L)) {
            own.onEvent(TimelineEvent.of(
                    MS,
                    TimelineEventType.JAVA_WAIT,
                    "receiver",
                    "nioEventLoopGroup-3-" + tid,
                    Samples.whole(TimelineEventType.JAVA_WAIT.form(), Map.of("durationNs", MS, "osThread", tid))));
        }

        assertThat(events)
                .extracting(TimelineEvent::thread)
                .containsExactly("nioEventLoopGro", "nioEventLoopGro#72", "nioEventLoopGro");
        assertThat(events)
                .extracting(event -> event.textDetail("javaThread"))
                .containsExactly("nioEventLoopGroup-3-71", "nioEventLoopGroup-3-72", "nioEventLoopGroup-3-1");
    }

    /** Who waits for all stalls of a time does not wait if there was none, and as long as the reason may come if there was one. */
    @Test
    void shouldSayWhenAllStallsOfATimeAreTold() {
        assertThat(detector.isTold(1_000 * MS, 900 * MS))
                .as("nothing was looked at")
                .isFalse();
        detector.refresh(1_100 * MS);
        assertThat(detector.isTold(1_000 * MS, 1_100 * MS))
                .as("it may have come later")
                .isFalse();
        assertThat(detector.isTold(1_000 * MS, 1_050 * MS)).isTrue();

        unread(SOCKET, 1_200, 1_500, 0, true);
        detector.refresh(1_600 * MS);
        assertThat(detector.isTold(1_100 * MS, 1_550 * MS)).as("before it").isTrue();
        assertThat(detector.isTold(1_500 * MS, 1_550 * MS)).isFalse();
        absent("recv", 1_200, 1_510);
        detector.refresh(1_900 * MS);
        assertThat(stalls()).hasSize(1);
        assertThat(detector.isTold(1_500 * MS, 1_550 * MS)).isTrue();

        drop(2_000, 2_100);
        detector.refresh(2_200 * MS);
        assertThat(detector.isTold(2_150 * MS, 2_160 * MS))
                .as("a reader may be slow")
                .isFalse();
        detector.refresh(4_700 * MS);
        assertThat(detector.isTold(2_150 * MS, 2_160 * MS)).isTrue();
    }

    /** Of a time that is cut while a thread is away, its absence so far is told, and the whole of it when it is back; the latter once. */
    @Test
    void shouldExplainTheRestOfAStallThatWasCut() {
        absent("recv", 1_000, 1_252);
        unread(SOCKET, 1_000, 1_250, 0, true);
        detector.refresh(1_700 * MS);
        absent("recv", 1_000, 1_800);
        unread(SOCKET, 1_260, 1_400, 0, true);
        detector.refresh(2_000 * MS);
        unread(SOCKET, 1_400, 1_600, 0, true);
        detector.refresh(2_200 * MS);
        unread(SOCKET, 1_600, 1_798, 0, false);
        detector.refresh(2_400 * MS);

        assertThat(stalls()).hasSize(4);
        assertThat(events.stream().filter(event -> event.type() == TimelineEventType.THREAD_ABSENT))
                .extracting(TimelineEvent::interval)
                .containsExactly(new Interval(1_000 * MS, 1_252 * MS), new Interval(1_000 * MS, 1_800 * MS));
    }

    private List<TimelineEvent> stalls() {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.STALL)
                .toList();
    }

    private void unread(long inode, long beginMs, long endMs, long startBytes, boolean isLasting) {
        unread(inode, beginMs, endMs, startBytes, 1, isLasting);
    }

    private static void unread(ReceiverStallDetector detector, long beginMs, long endMs) {
        detector.onEvent(unreadEvent(SOCKET, beginMs, endMs, 0, 1, false));
    }

    private void unread(long inode, long beginMs, long endMs, long startBytes, long gapMs, boolean isLasting) {
        detector.onEvent(unreadEvent(inode, beginMs, endMs, startBytes, gapMs, isLasting));
    }

    private static TimelineEvent unreadEvent(
            long inode, long beginMs, long endMs, long startBytes, long gapMs, boolean isLasting) {
        return TimelineEvent.of(
                beginMs * MS,
                TimelineEventType.SOCKET_UNREAD,
                "receiver",
                Samples.whole(
                        TimelineEventType.SOCKET_UNREAD.form(),
                        Map.of(
                                "durationNs",
                                (endMs - beginMs) * MS,
                                "inode",
                                inode,
                                "startBytes",
                                startBytes,
                                "peakBytes",
                                80_000L,
                                "longestGapNs",
                                gapMs * MS,
                                "lasting",
                                isLasting)));
    }

    private void unpolled(long beginMs, long endMs, int candidates, boolean isLikeliest) {
        unpolled(detector, beginMs, endMs, candidates, isLikeliest);
    }

    private static void unpolled(
            ReceiverStallDetector detector, long beginMs, long endMs, int candidates, boolean isLikeliest) {
        detector.onEvent(unpolledEvent(beginMs, endMs, candidates, isLikeliest, endMs + 1));
    }

    private static TimelineEvent unpolledEvent(
            long beginMs, long endMs, int candidates, boolean isLikeliest, long seenMs) {
        return TimelineEvent.of(
                beginMs * MS,
                TimelineEventType.SUBSCRIPTION_UNPOLLED,
                "client",
                Samples.whole(
                        TimelineEventType.SUBSCRIPTION_UNPOLLED.form(),
                        Map.of(
                                "seenNs",
                                seenMs * MS,
                                "durationNs",
                                (endMs - beginMs) * MS,
                                "channel",
                                "aeron:ipc",
                                "streamId",
                                17,
                                "sessionId",
                                3,
                                "subscriber",
                                9L,
                                "candidates",
                                candidates,
                                "likeliest",
                                isLikeliest,
                                "peakBytes",
                                80_000L,
                                "lasting",
                                false)));
    }

    private static void absent(ReceiverStallDetector detector, String thread, long beginMs, long endMs) {
        absent(detector, thread, beginMs, endMs, "futex_do_wait");
    }

    private void absent(String thread, long beginMs, long endMs) {
        absent(thread, beginMs, endMs, "futex_do_wait");
    }

    private void absent(String thread, long beginMs, long endMs, String function) {
        absent(detector, thread, beginMs, endMs, function);
    }

    private static void absent(
            ReceiverStallDetector detector, String thread, long beginMs, long endMs, String function) {
        Interval interval = new Interval(beginMs * MS, endMs * MS);
        detector.onEvent(new ThreadAbsence(
                "receiver",
                thread,
                interval,
                interval.lengthNs(),
                ThreadAbsence.State.SLEEPING,
                "reporter",
                true,
                false,
                "",
                List.of(function),
                List.of()));
    }

    /** A call that any datagram of the socket ends has found none: between two samples, it may have been empty. */
    @Test
    void shouldNotReportAReaderThatWaitedForTheVerySocket() {
        detector.onEvent(waitingFor(new ThreadAbsence.SocketWait(List.of(SOCKET, 99L), List.of(99L))));
        unread(SOCKET, 1_000, 1_299, 0, 500, false);
        detector.close();

        assertThat(stalls()).isEmpty();
    }

    /** The socket held datagrams in each sample of one wait: its set had told of them before, or was not asked to. What it says after the wait does not matter. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReportAReaderThatIsNotToldOfItsDatagrams(boolean isOnce) {
        detector.onEvent(
                waitingFor(new ThreadAbsence.SocketWait(List.of(SOCKET), isOnce ? List.of(SOCKET) : List.of())));
        unread(SOCKET, 1_000, 1_299, 0, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_000 * MS, 1_300 * MS)));
    }

    @Test
    void shouldReportAReaderThatWaitedForTheSocketOfAnother() {
        detector.onEvent(waitingFor(new ThreadAbsence.SocketWait(List.of(99L), List.of())));
        unread(SOCKET, 1_000, 1_299, 0, 500, false);
        detector.close();

        assertThat(stalls()).hasSize(1);
    }

    /** The kernel still has the call of a thread that a signal stopped in it. */
    @ParameterizedTest
    @EnumSource(
            value = ThreadAbsence.State.class,
            names = {"STOPPED", "FROZEN", "TRACED", "BLOCKED"})
    void shouldReportAReaderThatWasHaltedInTheCallForItsVerySocket(ThreadAbsence.State state) {
        detector.onEvent(waitingFor(new ThreadAbsence.SocketWait(List.of(SOCKET, 99L), List.of()), state));
        unread(SOCKET, 1_000, 1_299, 0, false);
        detector.close();

        assertThat(stalls()).singleElement().satisfies(stall -> assertThat(stall.interval())
                .isEqualTo(new Interval(1_000 * MS, 1_300 * MS)));
    }

    private static ThreadAbsence waitingFor(ThreadAbsence.SocketWait sockets) {
        return waitingFor(sockets, ThreadAbsence.State.SLEEPING);
    }

    private static ThreadAbsence waitingFor(ThreadAbsence.SocketWait sockets, ThreadAbsence.State state) {
        Interval interval = new Interval(1_001 * MS, 1_300 * MS);
        return new ThreadAbsence(
                        "receiver",
                        "recv",
                        interval,
                        interval.lengthNs(),
                        state,
                        "sender",
                        false,
                        false,
                        "",
                        List.of("ep_poll", "do_epoll_wait"),
                        List.of())
                .waitingFor(sockets);
    }
}
