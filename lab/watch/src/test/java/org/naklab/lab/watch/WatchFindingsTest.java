package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.cases.OwnActs;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.memory.PageFaultRecord;
import org.naklab.testing.events.Samples;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WatchFindingsTest {
    private static final String PROCESS = "4711";
    private static final long MS = 1_000_000;
    private static final Interval COUNTED = new Interval(0, 10_000 * MS);
    private static final int DEEP = 40_123;
    private static final int OTHER = 40_124;

    @Test
    void shouldNameTheCausesOfAllPortsByTheirHarm() {
        List<TimelineEvent> events = new ArrayList<>(stopped(1_000));
        events.add(dropped(1_100, 96));
        events.add(discarded(5_000, OTHER, 429));

        WatchFindings findings = findings(events, List.of());

        assertThat(findings.diagnosis().causes())
                .extracting(NamedCause::cause)
                .containsExactly(Cause.NETWORK_LOSS, Cause.PROCESS_PAUSED);
        assertThat(findings.diagnosis().causes())
                .extracting(NamedCause::lostDatagrams)
                .containsExactly(429L, 96L);
        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(WatchSummary.lines(findings))
                .contains("causes by harm: network-loss (429 datagrams lost), process-paused (96 datagrams lost, 300.0"
                        + " ms)");
    }

    /** Not only when nobody stood still. */
    @Test
    void shouldTellTheEvidenceAndTheRemedyOfACauseThatIsNotThatOfTheStall() {
        List<TimelineEvent> events = new ArrayList<>(stopped(1_000));
        events.add(dropped(1_100, 96));
        events.add(discarded(5_000, OTHER, 429));

        WatchFindings findings = findings(events, List.of());

        assertThat(WatchSummary.lines(findings))
                .contains("  cause    process-paused")
                .contains("  cause    network-loss, "
                        + findings.diagnosis().confidence().label())
                .contains("  remedy   " + findings.diagnosis().remedy())
                .anyMatch(line -> line.startsWith("  because  "));
    }

    @Test
    void shouldNameWhatTheFirewallDiscardedAtAPortThatWasNeverDeep() {
        WatchFindings findings = findings(List.of(discarded(5_000, OTHER, 429)), List.of());

        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(findings.isQuiet()).isFalse();
    }

    @Test
    void shouldNotBeQuietIfItWasBlind() {
        WatchFindings blind = findings(List.of(), List.of("the kernel's record is incomplete"));

        assertThat(blind.isEmpty()).isTrue();
        assertThat(blind.isQuiet()).isFalse();
        assertThat(blind.diagnosis().cause()).isNotEqualTo(Cause.CLEAN);
        assertThat(WatchSummary.lines(blind)).contains("not seen: the kernel's record is incomplete");
        assertThat(findings(List.of(), List.of()).isQuiet()).isTrue();
    }

    @Test
    void shouldAddTheStretchesOfALongWatch() {
        WatchFindings first = findings(with(stopped(1_000), dropped(1_100, 96)), List.of());
        WatchFindings second = findings(with(stopped(3_000), dropped(3_100, 4)), List.of());

        WatchFindings both = first.and(findings(List.of(), List.of())).and(second);

        assertThat(both.standstills().stalls()).hasSize(2);
        assertThat(both.feed().losses().dropped().all()).isEqualTo(100);
        assertThat(both.diagnosis().causes()).singleElement().satisfies(cause -> {
            assertThat(cause.cause()).isEqualTo(Cause.PROCESS_PAUSED);
            assertThat(cause.lostDatagrams()).isEqualTo(100);
            assertThat(cause.durationMs()).isEqualTo(600);
        });
        assertThat(both.diagnosis().stall())
                .isNotNull()
                .matches(stall -> stall.timeNs() == 1_000 * MS, "the stall that lost more");
        assertThat(both.isQuiet()).isFalse();
    }

    /** Whatever overlaps: stalls and losses at two ports, in two stretches of a watch. */
    @Test
    void shouldNeverChargeMoreThanWasLostAtAllPortsInAllStretches() {
        long charged = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long lost = 0;
            WatchFindings all = findings(List.of(), List.of());
            for (int stretch = 0; stretch < 2; stretch++) {
                List<TimelineEvent> events = new ArrayList<>();
                for (int i = 0; i < 1 + random.nextInt(4); i++) {
                    events.addAll(stopped(random.nextInt(9_000)));
                }
                long[] drops = new long[2];
                for (int i = 0; i < 1 + random.nextInt(6); i++) {
                    int where = random.nextInt(2);
                    int count = 1 + random.nextInt(500);
                    drops[where] += count;
                    events.add(dropped(random.nextInt(10_000), where == 0 ? DEEP : OTHER, count));
                }
                int refused = random.nextInt(3) * 100;
                if (refused > 0) {
                    events.add(discarded(random.nextInt(10_000), random.nextBoolean() ? DEEP : OTHER, refused));
                }
                lost += drops[0] + drops[1] + refused;
                all = all.and(WatchFindings.of(
                        PROCESS,
                        COUNTED,
                        events,
                        List.of(socket(DEEP, 100_000, drops[0]), socket(OTHER, 100_000, drops[1])),
                        Map.of(),
                        List.of()));
            }
            long sum = all.diagnosis().causes().stream()
                    .mapToLong(NamedCause::lostDatagrams)
                    .sum();
            assertThat(sum).as("seed %s", seed).isLessThanOrEqualTo(lost);
            charged += sum;
        }
        assertThat(charged).isPositive();
    }

    private static final List<PageFaultRecord> FAULTS = List.of(new PageFaultRecord(
            1,
            29,
            PROCESS,
            "feed",
            true,
            "libc.so.6 .gnu.hash",
            "0x7f12",
            "/usr/lib/libc.so.6",
            ".gnu.hash",
            List.of("_dl_fixup")));

    @Test
    void shouldKeepTheLongestStallsOfVeryMany() {
        WatchFindings one = findings(stopped(1_000), List.of());
        List<Stall> many = IntStream.range(0, WatchFindings.MAX_STALLS)
                .mapToObj(i -> new Stall(PROCESS, i, 30, "feed", 0, "lock-wait", StallAccount.NONE))
                .toList();
        WatchFindings all = new WatchFindings(
                        PROCESS,
                        new WatchFindings.Standstills(many, 0),
                        new WatchFindings.Feed(one.feed().losses(), 0, List.of()),
                        one.diagnosis(),
                        new WatchFindings.Details(List.of(), FAULTS, OwnActs.NONE),
                        List.of(),
                        null)
                .and(one);

        assertThat(all.standstills().stalls())
                .hasSize(WatchFindings.MAX_STALLS)
                .anyMatch(stall -> stall.durationMs() == 300);
        assertThat(all.standstills().moreStalls()).isEqualTo(1);
        assertThat(WatchSummary.lines(all))
                .contains("and 1 shorter stall")
                .contains("  fault    29.0 ms at 0x7f12 (libc.so.6 .gnu.hash), major, in _dl_fixup");
    }

    /** A media driver receives what it sends itself. */
    @Test
    void shouldJoinTheSilenceOfAStreamToTheStopOfTheProcessThatSendsIt() {
        TimelineEvent silent = TimelineEvent.of(
                2_000 * MS,
                TimelineEventType.FEED_SILENT,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.FEED_SILENT.form(),
                        Map.of(
                                "durationNs",
                                430 * MS,
                                "usualGapNs",
                                20 * MS,
                                "source",
                                "127.0.0.1:" + DEEP,
                                "group",
                                "127.0.0.1",
                                "port",
                                (long) OTHER)));
        TimelineEvent continued = TimelineEvent.of(
                2_425 * MS,
                TimelineEventType.THREAD_CONTINUED,
                PROCESS,
                "sender",
                Map.of("durationNs", 420 * MS, "beganNs", 2_005 * MS, "state", "T"));

        assertThat(WatchSummary.lines(findings(List.of(silent, continued), List.of())))
                .contains(
                        "no datagram for port 40124 of 127.0.0.1 came in for 430.0 ms (usually at most 20.0 ms), from 127.0.0.1:"
                                + DEEP + ", a socket of this process, which was stopped for 420.0 ms of that time");
    }

    @Test
    void shouldTellASilentFeedWithoutCallingItALoss() {
        TimelineEvent silent = TimelineEvent.of(
                2_000 * MS,
                TimelineEventType.FEED_SILENT,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.FEED_SILENT.form(),
                        Map.of(
                                "durationNs",
                                3_000 * MS,
                                "usualGapNs",
                                20 * MS,
                                "source",
                                "10.0.0.9:4000",
                                "group",
                                "239.1.2.3",
                                "port",
                                (long) OTHER)));

        WatchFindings findings = findings(List.of(silent), List.of());

        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.SENDER_PAUSED);
        assertThat(findings.isQuiet()).isTrue();
        assertThat(WatchSummary.lines(findings))
                .contains("no datagram for port 40124 of 239.1.2.3 came in for 3000.0 ms (usually at most 20.0 ms),"
                        + " from 10.0.0.9:4000");
    }

    @Test
    void shouldCallALapseOfMembershipALossIfTheGroupWasJoinedAgain() {
        assertThat(findings(List.of(membershipLost(false)), List.of()).isQuiet())
                .isFalse();
        assertThat(findings(List.of(membershipLost(true)), List.of()).isQuiet()).isTrue();
    }

    @Test
    void shouldSayThatDatagramsNeverReachedThisHostOnlyOfThePortThatWasLookedAt() {
        List<TimelineEvent> observed = List.of(
                TimelineEvent.of(
                        0,
                        TimelineEventType.KERNEL_RECORDED,
                        PROCESS,
                        Samples.whole(
                                TimelineEventType.KERNEL_RECORDED.form(),
                                Map.of(
                                        "durationNs",
                                        COUNTED.lengthNs(),
                                        "source",
                                        "bpf",
                                        "arrivals",
                                        true,
                                        "port",
                                        (long) DEEP))),
                place("group membership", DEEP),
                place("other sockets of the port", DEEP),
                TimelineEvent.of(
                        5_000 * MS,
                        TimelineEventType.NAK_SENT,
                        PROCESS,
                        Samples.whole(TimelineEventType.NAK_SENT.form(), Map.of("naks", 1L))));

        assertThat(conclusions(observed, DEEP)).contains("the missing datagrams never reached this host's socket");
        assertThat(conclusions(observed, OTHER))
                .doesNotContain("the missing datagrams never reached this host's socket");
    }

    /** As in a window, or when the instruments were ready after the stall had begun. */
    @Test
    void shouldCountAStallThatWasUnderWayAtTheBeginningFromItsBegin() {
        List<TimelineEvent> events = new ArrayList<>(stopped(-200));
        events.add(dropped(-100, 60));
        events.add(dropped(50, 36));

        WatchFindings findings = findings(events, List.of());

        assertThat(findings.standstills().stalls()).singleElement().matches(stall -> stall.atNs() == -200 * MS);
        assertThat(findings.feed().losses().dropped().all()).isEqualTo(96);
        assertThat(findings.diagnosis().causes()).singleElement().satisfies(cause -> {
            assertThat(cause.cause()).isEqualTo(Cause.PROCESS_PAUSED);
            assertThat(cause.lostDatagrams()).isEqualTo(96);
        });
    }

    @Test
    void shouldCountNeitherStallNorLossThatWasOverBeforeTheBeginning() {
        List<TimelineEvent> events = new ArrayList<>(stopped(-2_000));
        events.add(dropped(-1_900, 96));

        assertThat(findings(events, List.of()).isQuiet()).isTrue();
    }

    /** Whatever part of a watch a window is, it names the cause that the watch names, with all that was lost. */
    @Test
    void shouldJudgeEachWindowAsItJudgesTheWatch() {
        List<TimelineEvent> events = new ArrayList<>(stopped(1_000));
        events.add(dropped(1_100, 96));
        WatchFindings watch = findings(events, List.of());
        for (long beginMs = 0; beginMs <= 1_200; beginMs += 100) {
            WatchFindings window = WatchFindings.of(
                    PROCESS,
                    new Interval(beginMs * MS, 5_000 * MS),
                    events,
                    List.of(socket(DEEP, 100_000, 96)),
                    Map.of(),
                    List.of());
            assertThat(window.standstills().stalls())
                    .as("from %d ms", beginMs)
                    .isEqualTo(watch.standstills().stalls());
            assertThat(window.feed().losses()).isEqualTo(watch.feed().losses());
            assertThat(window.diagnosis().causes()).isEqualTo(watch.diagnosis().causes());
        }
    }

    /** XDP, and a host that is no member of the group, give no reason. */
    @Test
    void shouldNotBeQuietIfTheKernelDiscardedDatagramsWithoutAReason() {
        TimelineEvent discarded = TimelineEvent.of(
                5_000 * MS,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DISCARDED.form(),
                        Map.of(
                                "reason",
                                "NOT_SPECIFIED",
                                "location",
                                "veth_xdp_rcv",
                                "atReceiver",
                                true,
                                "port",
                                (long) DEEP,
                                "count",
                                882L)));

        WatchFindings findings = findings(List.of(discarded), List.of());

        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.NETWORK_LOSS);
        assertThat(findings.isEmpty()).isFalse();
        assertThat(WatchSummary.lines(findings))
                .contains("882 datagrams discarded by this host, reason NOT_SPECIFIED in veth_xdp_rcv, port 40123")
                .noneMatch(line -> line.contains("no lost datagram"));
    }

    /** The kernel keeps 15 characters. */
    @Test
    void shouldNameAThreadAsTheJvmDoes() {
        TimelineEvent wait = TimelineEvent.of(
                1_000 * MS,
                TimelineEventType.JAVA_WAIT,
                PROCESS,
                "feed",
                Samples.whole(TimelineEventType.JAVA_WAIT.form(), Map.of("javaThread", "feed of the exchange")));

        assertThat(WatchSummary.lines(findings(with(stopped(1_000), wait), List.of())))
                .first()
                .asString()
                .contains("feed of the exchange stood still");
    }

    @Test
    void shouldNotChooseBetweenTwoThreadsThatTheKernelNamesAlike() {
        List<TimelineEvent> events = with(
                with(
                        stopped(1_000),
                        TimelineEvent.of(
                                1_000 * MS,
                                TimelineEventType.JAVA_WAIT,
                                PROCESS,
                                "feed",
                                Samples.whole(TimelineEventType.JAVA_WAIT.form(), Map.of("javaThread", "feed-1")))),
                TimelineEvent.of(
                        1_000 * MS,
                        TimelineEventType.JAVA_WAIT,
                        PROCESS,
                        "feed",
                        Samples.whole(TimelineEventType.JAVA_WAIT.form(), Map.of("javaThread", "feed-2"))));

        assertThat(WatchSummary.lines(findings(events, List.of())))
                .first()
                .asString()
                .contains("feed stood still");
    }

    /** Whatever attaching and dumping do to a thread, the program is not blamed for it. */
    @Test
    void shouldNotBlameTheProgramForWhatTheLabDidToIt() {
        List<TimelineEvent> events = with(preempted(-100, 180), acted(-500, 0, "attach"));
        events.addAll(with(preempted(4_000, 150), acted(3_900, 4_400, "dump JFR")));

        WatchFindings findings = findings(events, List.of());

        assertThat(findings.isQuiet()).isTrue();
        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.CLEAN);
        assertThat(findings.details().own().stalls()).hasSize(2);
        assertThat(WatchSummary.lines(findings))
                .contains(
                        "the lab's own acts: attach 500.0 ms, dump JFR 500.0 ms",
                        "  they caused 2 stalls, 180.0 ms at most, which the program is not blamed for");
    }

    @Test
    void shouldBlameTheProgramForAStallThatTheLabCannotHaveCaused() {
        List<TimelineEvent> before = with(preempted(3_800, 150), acted(3_900, 4_400, "dump JFR"));
        List<TimelineEvent> stopped = with(stopped(4_000), acted(3_900, 4_400, "dump JFR"));
        List<TimelineEvent> ofAnother = with(
                preempted(4_000, 150), new HostEvent.Acted(new Interval(3_900 * MS, 4_400 * MS), "4712", "attach"));
        for (List<TimelineEvent> events : List.of(before, stopped, ofAnother)) {
            WatchFindings findings = findings(events, List.of());

            assertThat(findings.standstills().stalls()).hasSize(1);
            assertThat(findings.details().own().stalls()).isEmpty();
        }
    }

    /** The lab acts, and another program has the CPU: the lab has not caused that. */
    @Test
    void shouldBlameTheProgramForAForeignThreadThatHadTheCpuWhileTheLabActed() {
        List<TimelineEvent> events = with(preempted(4_000, 150, "hog"), acted(3_900, 4_400, "dump JFR"));

        WatchFindings findings = findings(events, List.of());

        assertThat(findings.details().own().stalls()).isEmpty();
        assertThat(findings.standstills().stalls()).singleElement().satisfies(stall -> assertThat(stall.cause())
                .isEqualTo("cpu-preemption"));
        assertThat(findings.diagnosis().cause()).isEqualTo(Cause.CPU_PREEMPTION);
    }

    @Test
    void shouldCountAStallOfTheLabInWhichDatagramsWereLost() {
        List<TimelineEvent> events = with(preempted(4_000, 150), acted(3_900, 4_400, "dump JFR"));
        events.add(dropped(4_100, 7));

        WatchFindings findings = findings(events, List.of());

        assertThat(findings.standstills().stalls()).hasSize(1);
        assertThat(findings.isQuiet()).isFalse();
        assertThat(WatchSummary.lines(findings))
                .contains("  they caused 1 stall, 150.0 ms at most, in which 7 datagrams were lost");
    }

    private static List<TimelineEvent> preempted(long beginMs, long lengthMs) {
        return preempted(beginMs, lengthMs, ThreadAbsence.ofLab("C2 CompilerThre"));
    }

    /** @param next had the CPU meanwhile */
    private static List<TimelineEvent> preempted(long beginMs, long lengthMs, String next) {
        Interval interval = new Interval(beginMs * MS, (beginMs + lengthMs) * MS);
        return List.of(
                stall(beginMs, lengthMs),
                new ThreadAbsence(
                        PROCESS,
                        "feed",
                        interval,
                        interval.lengthNs(),
                        ThreadAbsence.State.PREEMPTED,
                        "",
                        false,
                        false,
                        next,
                        List.of(),
                        List.of()));
    }

    private static TimelineEvent acted(long beginMs, long endMs, String act) {
        return new HostEvent.Acted(new Interval(beginMs * MS, endMs * MS), PROCESS, act);
    }

    private static List<String> conclusions(List<TimelineEvent> events, int port) {
        return WatchFindings.of(PROCESS, COUNTED, events, List.of(socket(port, 1_000, 0)), Map.of(), List.of())
                .diagnosis()
                .evidence()
                .stream()
                .map(each -> each.figure())
                .toList();
    }

    private static WatchFindings findings(List<TimelineEvent> events, List<String> blind) {
        return WatchFindings.of(
                PROCESS, COUNTED, events, List.of(socket(DEEP, 100_000, 96), socket(OTHER, 0, 0)), Map.of(), blind);
    }

    private static SocketSummary socket(int port, long depthBytes, long drops) {
        return new SocketSummary(
                new SocketIdentity(port, false, "127.0.0.1", port),
                List.of(),
                depthBytes,
                0,
                0,
                212_992,
                drops,
                Headroom.NONE);
    }

    private static List<TimelineEvent> with(List<TimelineEvent> some, TimelineEvent one) {
        List<TimelineEvent> all = new ArrayList<>(some);
        all.add(one);
        return all;
    }

    /** A stall of 300 ms in which a signal had stopped the process. */
    private static List<TimelineEvent> stopped(long beginMs) {
        Interval interval = new Interval(beginMs * MS, (beginMs + 300) * MS);
        TimelineEvent absent = new ThreadAbsence(
                        PROCESS,
                        "feed",
                        interval,
                        interval.lengthNs(),
                        ThreadAbsence.State.STOPPED,
                        "kill",
                        false,
                        false,
                        "",
                        List.of(),
                        List.of())
                .haltedBy("kill (process 99)");
        return List.of(stall(beginMs, 300), absent);
    }

    private static TimelineEvent stall(long beginMs, long lengthMs) {
        return TimelineEvent.of(
                beginMs * MS,
                TimelineEventType.STALL,
                PROCESS,
                "feed",
                Map.of("durationNs", lengthMs * MS, "endNs", (beginMs + lengthMs) * MS));
    }

    private static TimelineEvent dropped(long atMs, long datagrams) {
        return dropped(atMs, DEEP, datagrams);
    }

    private static TimelineEvent dropped(long atMs, int port, long datagrams) {
        return TimelineEvent.of(
                atMs * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("datagrams", datagrams, "port", (long)
                        port)));
    }

    private static TimelineEvent discarded(long atMs, int port, long count) {
        return TimelineEvent.of(
                atMs * MS,
                TimelineEventType.DATAGRAMS_DISCARDED,
                TimelineEvent.HOST,
                Samples.whole(
                        TimelineEventType.DATAGRAMS_DISCARDED.form(),
                        Map.of(
                                "reason",
                                "NETFILTER_DROP",
                                "location",
                                "nf_hook_slow",
                                "port",
                                (long) port,
                                "count",
                                count)));
    }

    private static TimelineEvent membershipLost(boolean isLasting) {
        return TimelineEvent.of(
                2_000 * MS,
                TimelineEventType.MEMBERSHIP_LOST,
                PROCESS,
                Samples.whole(
                        TimelineEventType.MEMBERSHIP_LOST.form(),
                        Map.of(
                                "durationNs",
                                500 * MS,
                                "group",
                                "239.1.2.3",
                                "interface",
                                1,
                                "port",
                                (long) OTHER,
                                "lasting",
                                isLasting)));
    }

    private static TimelineEvent place(String place, int port) {
        return TimelineEvent.of(
                0,
                TimelineEventType.PLACE_OBSERVED,
                PROCESS,
                Samples.whole(
                        TimelineEventType.PLACE_OBSERVED.form(),
                        Map.of("durationNs", COUNTED.lengthNs(), "place", place, "port", (long) port)));
    }
}
