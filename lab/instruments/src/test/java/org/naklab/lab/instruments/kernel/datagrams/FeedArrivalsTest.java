package org.naklab.lab.instruments.kernel.datagrams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.instruments.sampling.EventLog;
import org.naklab.testing.events.Samples;

class FeedArrivalsTest {
    private static final String GROUP = "239.192.16.1";
    private static final int PORT = 26_000;
    private static final long MS = 1_000_000;
    private static final long HERE = 11;
    private static final long THERE = 12;

    private final EventLog events = new EventLog();
    private FeedArrivals arrivals = of(Map.of(HERE, "gateway-1,mds"), false);

    @Test
    void shouldReportASilentFeedWithWhatItsSenderDid() {
        receive(HERE, 5_000);
        arrivals.onAbsence(stopped("mds", 100, 1_590));
        arrivals.onAbsence(stopped("exchange", 110, 1_590));
        arrivals.onGap(feed(HERE), span(100, 1_600));
        assertThat(events.all())
                .containsExactly(TimelineEvent.of(
                        100 * MS,
                        TimelineEventType.FEED_SILENT,
                        "exchange",
                        Samples.whole(
                                TimelineEventType.FEED_SILENT.form(),
                                Map.ofEntries(
                                        Map.entry("durationNs", 1_500 * MS),
                                        Map.entry("usualGapNs", 20 * MS),
                                        Map.entry("source", "127.0.0.1:40001"),
                                        Map.entry("group", GROUP),
                                        Map.entry("port", (long) PORT),
                                        Map.entry("receivers", "gateway-1,mds"),
                                        Map.entry("open", false),
                                        Map.entry("senderState", "stopped"),
                                        Map.entry("senderAbsentNs", 1_480 * MS),
                                        Map.entry("senderThread", "exchange-context")))));
    }

    /** The last absence of the sender need not be the one that explains the silence. */
    @Test
    void shouldNameTheThreadWhoseStateIsTold() {
        receive(HERE, 5_000);
        arrivals.onAbsence(absent("exchange-context", 110, 1_500, ThreadAbsence.State.STOPPED));
        arrivals.onAbsence(absent("exchange-driver", 1_510, 1_590, ThreadAbsence.State.SLEEPING));
        arrivals.onGap(feed(HERE), span(100, 1_600));
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.textDetail("senderState")).isEqualTo("stopped");
            assertThat(event.textDetail("senderThread")).isEqualTo("exchange-context");
            assertThat(event.longDetail("senderAbsentNs", 0)).isEqualTo(1_390 * MS);
        });
    }

    @Test
    void shouldReportASilenceThatIsNotOver() {
        receive(HERE, 5_000);
        arrivals.finish(1_600 * MS);
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.interval()).isEqualTo(span(100, 1_600));
            assertThat(event.detail("open")).isEqualTo(true);
            assertThat(event.textDetail("senderState")).isEmpty();
        });
    }

    @Test
    void shouldNotReportAFeedThatStillReachesAReceiver() {
        arrivals = of(Map.of(HERE, "mds", THERE, "gateway-1"), false);
        receive(HERE, 5_000);
        receive(THERE, 5_000);
        arrivals.onGap(feed(HERE), span(100, 1_600));
        assertThat(events.all()).isEmpty();
        arrivals.onGap(feed(THERE), span(200, 1_700));
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.interval()).isEqualTo(span(200, 1_600));
            assertThat(event.textDetail("receivers")).isEqualTo("mds,gateway-1");
        });
    }

    @Test
    void shouldWaitForTheSendersThreadsWhereTheyAreKnownAtTheEnd() {
        arrivals = of(Map.of(HERE, "mds"), true);
        receive(HERE, 5_000);
        arrivals.onGap(feed(HERE), span(100, 1_600));
        assertThat(events.all()).isEmpty();
        arrivals.onAbsence(stopped("exchange", 110, 1_590));
        arrivals.finish(110 * MS);
        assertThat(events.all()).singleElement().satisfies(event -> assertThat(event.textDetail("senderState"))
                .isEqualTo("stopped"));
    }

    @Test
    void shouldNotTakeTheRepairOfAReceiverForTheFeed() {
        DatagramFlow status = new DatagramFlow(HERE, "127.0.0.1", 40_002, "239.192.16.2", PORT, false);
        arrivals.onArrivals(status, new ArrivalCount(100 * MS, 5_000, 0, 0, 100 * MS));
        arrivals.onGap(status, span(100, 1_600));
        arrivals.finish(10_000 * MS);
        assertThat(events.all()).isEmpty();
    }

    @Test
    void shouldReportABurstOfAForeignSender() {
        DatagramFlow foreign = new DatagramFlow(HERE, "127.0.0.1", 50_000, GROUP, PORT, false);
        arrivals.onArrivals(foreign, new ArrivalCount(1_050 * MS, 2_000, 200_000, 1_000 * MS, 1_049 * MS));
        arrivals.onArrivals(foreign, new ArrivalCount(1_100 * MS, 5_000, 500_000, 1_000 * MS, 1_099 * MS));
        receive(HERE, 5_000);
        assertThat(events.all()).isEmpty();
        arrivals.onArrivals(foreign, new ArrivalCount(2_050 * MS, 5_001, 500_100, 1_000 * MS, 2_040 * MS));
        assertThat(events.all())
                .containsExactly(TimelineEvent.of(
                        1_000 * MS,
                        TimelineEventType.FOREIGN_DATAGRAMS,
                        TimelineEvent.HOST,
                        Samples.whole(
                                TimelineEventType.FOREIGN_DATAGRAMS.form(),
                                Map.of(
                                        "durationNs",
                                        99 * MS,
                                        "source",
                                        "127.0.0.1:50000",
                                        "destination",
                                        GROUP,
                                        "port",
                                        (long) PORT,
                                        "toGroup",
                                        true,
                                        "count",
                                        5_000L,
                                        "bytes",
                                        500_000L,
                                        "peakPerSecond",
                                        60_000L))));
        arrivals.finish(3_000 * MS);
        assertThat(events.of(TimelineEventType.FOREIGN_DATAGRAMS))
                .extracting(event -> event.longDetail("count", 0))
                .containsExactly(5_000L, 1L);
    }

    @Test
    void shouldTellDatagramsToOtherAddressesApart() {
        DatagramFlow unicast = new DatagramFlow(HERE, "10.0.0.9", 50_000, "10.0.0.1", PORT, false);
        arrivals.onArrivals(unicast, new ArrivalCount(1_050 * MS, 1, 50, 1_000 * MS, 1_000 * MS));
        DatagramFlow elsewhere = new DatagramFlow(THERE, "10.0.0.9", 50_000, "10.0.0.1", PORT, false);
        arrivals.onArrivals(elsewhere, new ArrivalCount(1_050 * MS, 1, 50, 1_000 * MS, 1_000 * MS));
        arrivals.finish(2_000 * MS);
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.textDetail("destination")).isEqualTo("10.0.0.1");
            assertThat(event.detail("toGroup")).isEqualTo(false);
        });
    }

    @Test
    void shouldNotCallAServerSilentBecauseOneOfItsClientsHasEnded() {
        FeedArrivals server = unicast();
        DatagramFlow first = new DatagramFlow(HERE, "10.0.0.1", 50_001, "10.0.0.9", PORT, false);
        DatagramFlow second = new DatagramFlow(HERE, "10.0.0.2", 50_002, "10.0.0.9", PORT, false);
        server.onArrivals(first, new ArrivalCount(100 * MS, 5_000, 0, 0, 100 * MS));
        server.onArrivals(second, new ArrivalCount(900 * MS, 5_000, 0, 0, 900 * MS));
        server.onGap(first, span(100, 1_600));
        server.finish(2_000 * MS);
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.interval()).isEqualTo(span(900, 2_000));
            assertThat(event.detail("source")).isEqualTo("10.0.0.2:50002");
        });
    }

    @Test
    void shouldTakeAllGroupsOfThePortForTheFeed() {
        FeedArrivals both = new FeedArrivals(
                new Feed(List.of(GROUP, "239.192.16.9"), PORT, ""), Map.of(HERE, "4711"), port -> "", false, events);
        DatagramFlow other = new DatagramFlow(HERE, "10.0.0.1", 50_001, "239.192.16.9", PORT, false);
        both.onArrivals(other, new ArrivalCount(100 * MS, 5_000, 0, 0, 100 * MS));
        both.finish(1_600 * MS);
        assertThat(events.all()).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(TimelineEventType.FEED_SILENT);
            assertThat(event.detail("group")).isEqualTo("239.192.16.9");
        });
    }

    private FeedArrivals unicast() {
        return new FeedArrivals(new Feed(List.of(), PORT, ""), Map.of(HERE, "4711"), port -> "", false, events);
    }

    private FeedArrivals of(Map<Long, String> receivers, boolean isDeferred) {
        Map<Integer, String> ports = Map.of(40_001, "exchange", 40_002, "mds");
        return new FeedArrivals(
                new Feed(GROUP, PORT, "exchange"), receivers, port -> ports.getOrDefault(port, ""), isDeferred, events);
    }

    private static DatagramFlow feed(long namespace) {
        return new DatagramFlow(namespace, "127.0.0.1", 40_001, GROUP, PORT, false);
    }

    private void receive(long namespace, long count) {
        arrivals.onArrivals(feed(namespace), new ArrivalCount(100 * MS, count, count * 100, 0, 100 * MS));
    }

    private static Interval span(long beginMs, long endMs) {
        return new Interval(beginMs * MS, endMs * MS);
    }

    private static ThreadAbsence stopped(String process, long beginMs, long endMs) {
        return absent(process, process + "-context", beginMs, endMs, ThreadAbsence.State.STOPPED);
    }

    private static ThreadAbsence absent(String thread, long beginMs, long endMs, ThreadAbsence.State state) {
        return absent("exchange", thread, beginMs, endMs, state);
    }

    private static ThreadAbsence absent(
            String process, String thread, long beginMs, long endMs, ThreadAbsence.State state) {
        return new ThreadAbsence(
                process,
                thread,
                span(beginMs, endMs),
                (endMs - beginMs) * MS,
                state,
                "kill",
                false,
                false,
                "",
                List.of(),
                List.of());
    }
}
