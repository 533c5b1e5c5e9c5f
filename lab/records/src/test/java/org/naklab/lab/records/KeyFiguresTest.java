package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;
import org.naklab.lab.core.timeline.DatagramEvent.Flow;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.records.KeyFigures.Receiver;

@Timeout(60)
final class KeyFiguresTest {
    private static final Receiver UNHARMED = receiver("mds", 0, 0, 0, true);
    private static final Receiver GATEWAY = receiver("gateway-1", 0, 0, 0, true);
    private static final Stall STALL = new Stall("mds", 10, 155.61, "mds-context", 2, "disk-wait");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0   | 0 | 0 | true  | nothing: the service mds dropped no datagram and sent no NAK
        400 | 3 | 0 | true  | 400 datagrams: the service mds: dropped by a full socket; 3 NAKs asked for them; all repaired, the journal contains 38,200 events
        1   | 1 | 0 | true  | 1 datagram: the service mds: dropped by a full socket; 1 NAK asked for them; all repaired, the journal contains 38,200 events
        0   | 2 | 0 | true  | 2 NAKs: the service mds asked for data that no socket of this host had dropped; all repaired, the journal contains 38,200 events
        0   | 2 | 1 | false | 2 NAKs: the service mds asked for data that no socket of this host had dropped; not all repaired, 1 event missing
        7   | 0 | 0 | false | 7 datagrams: the service mds: dropped by a full socket; 0 NAKs asked for them; not known to be complete, because the end of the feed did not arrive
        0   | 0 | 5 | false | 5 events: the service mds dropped no datagram and sent no NAK; not all repaired, 5 events missing
        """)
    void shouldTellWhatTheServiceLostAndWhatBecameOfIt(
            long drops, long naks, long missing, boolean isComplete, String sentence) {
        KeyFigures figures = figures(null, Set.of(), receiver("mds", drops, naks, missing, isComplete));

        assertThat(figures.lost().head()).isEqualTo("lost");
        assertThat(figures.lost().sentence()).isEqualTo(sentence);
        assertThat(figures.all()).extracting(KeyFigures.Figure::head).containsExactly("stalled", "lost");
    }

    @Test
    void shouldSayNothingOfTheJournalOfAProcessThatKeepsNone() {
        Receiver service = new Receiver("mds", new SocketDrops(3, 0), 1, 0, true, -1);

        assertThat(figures(null, Set.of(), service).lost().text()).endsWith("1 NAK asked for them; all repaired");
    }

    @Test
    void shouldNotCallUnseenSocketsHarmless() {
        KeyFigures figures = figures(null, Set.of("mds", "gateway-1"), UNHARMED, GATEWAY);

        assertThat(figures.lost().sentence())
                .isEqualTo("unknown: the service mds sent no NAK, but no instrument observed the sockets of mds");
        assertThat(figures.stalled().sentence())
                .isEqualTo("unknown: no stall was seen, but no instrument observed the sockets of mds");
        assertThat(figures.control().sentence())
                .isEqualTo("unknown: the same feed at gateway-1: sockets not observed, no NAK");
        assertThat(figures.answer("clean", "certain"))
                .isEqualTo("Whether anything was lost is not known: no instrument observed the sockets of mds"
                        + " (clean, certain).");
        assertThat(figures.answer("process-paused", null))
                .isEqualTo("The service is not known to have lost anything, although a signal stopped the process"
                        + " (process-paused).");
        assertThat(figures(null, Set.of("mds"), receiver("mds", 0, 4, 0, true))
                        .lost()
                        .value())
                .as("a NAK is seen without instruments")
                .isEqualTo("4 NAKs");
    }

    @Test
    void shouldTellWhichThreadStoodStillAndForHowLong() {
        assertThat(figures(STALL, Set.of(), UNHARMED).stalled().sentence())
                .isEqualTo("155.6 ms: mds-context of the service received nothing; cause disk-wait");
        Stall ofGateway = new Stall("gateway-1", 10, 20.04, "gateway-1-context", 0, "lock-wait");
        assertThat(figures(ofGateway, Set.of(), UNHARMED).stalled().sentence())
                .isEqualTo("20.0 ms: gateway-1-context of gateway-1 received nothing; cause lock-wait");
        assertThat(figures(null, Set.of(), UNHARMED).stalled().sentence())
                .isEqualTo("no stall: no receipt thread stood still for 20 ms or more");
    }

    @Test
    void shouldNameAThreadThatIsNotKnown() {
        Stall unknown = new Stall("mds", 10, 44, "", -1, "disk-wait");
        KeyFigures figures = figures(unknown, Set.of(), UNHARMED);

        assertThat(figures.stalled().text())
                .isEqualTo("the thread that polls of the service received nothing; cause disk-wait");
        assertThat(figures.answer("disk-wait", "likely"))
                .isEqualTo("The thread that polls received nothing for 44.0 ms, because the thread waited for the disk"
                        + " (disk-wait, likely).");
    }

    @Test
    void shouldShowNothingWithoutAReportOfTheService() {
        KeyFigures figures = figures(null, Set.of(), GATEWAY);

        assertThat(figures.isUnobserved()).isTrue();
        assertThat(figures.stalled().sentence())
                .isEqualTo("unknown: the run ended before the service had reported what it received");
        assertThat(figures.lost().sentence()).isEqualTo("unknown: the service mds ended without a final report");
        assertThat(figures.answer("clean", "certain"))
                .isEqualTo("This run shows nothing: it ended before the service had reported what it received.");

        KeyFigures stalled = figures(STALL, Set.of());
        assertThat(stalled.isUnobserved()).isFalse();
        assertThat(stalled.answer("disk-wait", "likely"))
                .isEqualTo("mds-context received nothing for 155.6 ms and the service gave no final report,"
                        + " because the thread waited for the disk (disk-wait, likely).");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 | 0 | 0 | no loss: the same feed at a: no datagram dropped, no NAK; b: no datagram dropped, no NAK
        3 | 1 | 2 | 3 datagrams: the same feed at a: 3 datagrams dropped, 1 NAK; b: no datagram dropped, 2 NAKs
        0 | 1 | 0 | 1 NAK: the same feed at a: no datagram dropped, 1 NAK; b: no datagram dropped, no NAK
        """)
    void shouldTellWhatTheControlGroupLost(long dropsOfA, long naksOfA, long naksOfB, String sentence) {
        KeyFigures figures = figures(
                null,
                Set.of(),
                UNHARMED,
                receiver("a", dropsOfA, naksOfA, 0, true),
                receiver("b", 0, naksOfB, 0, true));

        assertThat(figures.control().sentence()).isEqualTo(sentence);
        assertThat(figures.all()).extracting(KeyFigures.Figure::head).containsExactly("stalled", "lost", "control");
    }

    @Test
    void shouldTellThatThereAreMoreReceiversThanItNames() {
        KeyFigures figures = figures(
                null,
                Set.of(),
                UNHARMED,
                receiver("a", 0, 0, 0, true),
                receiver("b", 0, 0, 0, true),
                receiver("c", 0, 0, 0, true),
                receiver("d", 5, 0, 0, true));

        assertThat(figures.control().value()).isEqualTo("5 datagrams");
        assertThat(figures.control().text()).endsWith("c: no datagram dropped, no NAK; and 1 more");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        disk-wait     | likely  | 9 | 0 | 0 | mds-context received nothing for 155.6 ms and the service lost 9 datagrams, because the thread waited for the disk (disk-wait, likely).
        lock-wait     | ''      | 9 | 1 | 0 | The service lost 9 datagrams, because the thread waited for a lock (lock-wait).
        network-loss  | certain | 0 | 1 | 0 | The service sent 1 NAK, because datagrams never reached a socket of this host (network-loss, certain).
        process-ended | certain | 0 | 0 | 6 | The service missed 6 events, because the process ended before the flow did (process-ended, certain).
        machine-stalled | likely | 0 | 0 | 0 | The service lost nothing, although the whole machine stood still (machine-stalled, likely).
        cannot-tell   | likely  | 2 | 0 | 0 | The service lost 2 datagrams; the evidence does not say why (cannot-tell, likely).
        clean         | certain | 0 | 0 | 0 | Nothing was lost, and a stall of 155.6 ms cost nothing (clean, certain).
        clean         | certain | 0 | 0 | 6 | The service missed 6 events, and the diagnosis found no cause (clean, certain).
        clean         | likely  | 9 | 2 | 0 | The service lost 9 datagrams, and the diagnosis found no cause (clean, likely).
        unknown       | certain | 0 | 0 | 0 | The run ended without a diagnosis.
        of-tomorrow   | likely  | 2 | 0 | 0 | The service lost 2 datagrams, because of of-tomorrow (of-tomorrow, likely).
        """)
    void shouldAnswerInOneSentence(
            String cause, String confidence, long drops, long naks, long missing, String sentence) {
        assertThat(figures(STALL, Set.of(), receiver("mds", drops, naks, missing, missing == 0))
                        .answer(cause, confidence))
                .isEqualTo(sentence);
    }

    @Test
    void shouldNotSayThatNothingWasLostIfTheControlGroupLostSomething() {
        assertThat(figures(null, Set.of(), UNHARMED, receiver("gateway-1", 8, 1, 0, true))
                        .answer("clean", "likely"))
                .isEqualTo("The control group lost 8 datagrams, and the diagnosis found no cause (clean, likely).");
    }

    @Test
    void shouldSayThatNothingNeedsAnExplanation() {
        assertThat(figures(null, Set.of(), UNHARMED).answer("clean", null))
                .isEqualTo("Nothing was lost and nothing needs an explanation (clean).");
    }

    @Test
    void shouldTellOfTheReceiverThatStalledAndNotOfTheService() {
        Stall ofGateway = new Stall("gateway-1", 10, 200, "gateway-1-context", 0, "lock-wait");
        Receiver service = receiver("mds", 50, 0, 0, true);
        String clause = ", because the thread waited for a lock (lock-wait, likely).";

        assertThat(figures(ofGateway, Set.of(), service, receiver("gateway-1", 8, 1, 0, true))
                        .answer("lock-wait", "likely"))
                .isEqualTo("gateway-1-context received nothing for 200.0 ms and gateway-1 lost 8 datagrams" + clause);
        assertThat(figures(ofGateway, Set.of(), service, GATEWAY).answer("lock-wait", "likely"))
                .isEqualTo("gateway-1-context received nothing for 200.0 ms" + clause);
        assertThat(figures(null, Set.of(), UNHARMED, receiver("gateway-1", 8, 1, 0, true))
                        .answer("lock-wait", "likely"))
                .isEqualTo("The control group lost 8 datagrams" + clause);
    }

    @Test
    void shouldTakeTheFiguresOutOfTheFilesOfARun() {
        ObjectNode run = RunFiles.run();
        RunFiles.at(run, "/sockets/0").put("drops", 12);
        RunFiles.at(run, "/instruments").putArray("unseenSockets").add("gateway-1");
        KeyFigures figures = KeyFigures.of(
                Json.value(run, RunRecord.class),
                DiagnosedStalls.NONE,
                List.of(discarded(34_709, 2), discarded(1, 50)));

        assertThat(figures.service())
                .as("those of the other port are nobody's; no other receiver's drops are its own")
                .isEqualTo(new Receiver("mds", new SocketDrops(12, 2), 8, 0, true, 35_500));
        assertThat(figures.stall().map(Stall::cause)).contains("late-binding-major-fault");
        assertThat(figures.controls()).isEmpty();
        assertThat(figures.unseen()).containsExactly("gateway-1");
    }

    @Test
    void shouldTakeTheFiguresOutOfTheRecordOfAWatch() {
        ObjectNode run = RunFiles.run();
        run.put("scenario", "watch").put("datagramsDropped", 30).put("naks", -1);
        RunFiles.at(run, "/sockets/0").put("process", "handler").put("drops", 31);
        RunRecord record = Json.value(run, RunRecord.class);
        KeyFigures figures = KeyFigures.of(record, DiagnosedStalls.NONE, List.of());

        assertThat(record.subjectProcess()).isEqualTo("handler");
        assertThat(figures.lost().sentence()).isEqualTo("30 datagrams: process handler: dropped by a full socket");
        assertThat(figures.answer("lock-wait", "likely"))
                .isEqualTo("process handler lost 30 datagrams, because the thread waited for a lock"
                        + " (lock-wait, likely).");
    }

    private static Discarded discarded(int port, long count) {
        return new Discarded(
                new Interval(1, 2),
                "mds",
                new Flow("a", "b", port),
                count,
                new Discarded.Place(Discarded.BAD_CHECKSUM, "udp_queue_rcv_one_skb", 0),
                new Discarded.Packet(false, true, null));
    }

    private static Receiver receiver(String name, long drops, long naks, long missing, boolean isComplete) {
        return new Receiver(
                name, new SocketDrops(drops, 0), naks, missing, isComplete, name.equals("mds") ? 38_200 : -1);
    }

    private static KeyFigures figures(@Nullable Stall stall, Set<String> unseen, Receiver... receivers) {
        return KeyFigures.of(Optional.ofNullable(stall), List.of(receivers), unseen);
    }
}
