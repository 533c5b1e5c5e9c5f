package org.naklab.lab.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.timeline.Interval;

/** Which of the stalls of a run matters, and which time its diagnosis is about. */
@Timeout(60)
final class MainStallTest {
    private static final long MS = 1_000_000;
    private static final Stall SHORT = stall("mds", "mds-context", 100, 30, "lock-wait");
    private static final Stall LONG = stall("mds", "mds-context", 500, 90, "disk-wait");
    private static final Stall OF_GATEWAY = stall("gateway-1", "gateway-1-context", 700, 200, "lock-wait");

    @Test
    void shouldPreferTheServiceToALongerStallOfAnother() {
        RunDocument document = document("clean", OF_GATEWAY, SHORT, LONG);

        assertThat(document.longestStalls()).containsExactly(OF_GATEWAY, LONG, SHORT);
        assertThat(document.mainStall()).contains(LONG);
        assertThat(document("clean", OF_GATEWAY).mainStall()).contains(OF_GATEWAY);
        assertThat(document("clean").mainStall()).isEmpty();
    }

    @Test
    void shouldKnowTheServiceByItsProcessOrByItsThread() {
        Stall unknownThread = stall("mds", "", 300, 40, "disk-wait");
        Stall unknownProcess = stall("unknown", "mds-context", 300, 40, "disk-wait");

        assertThat(RunDocument.mainOf(List.of(OF_GATEWAY, unknownThread))).contains(unknownThread);
        assertThat(RunDocument.mainOf(List.of(OF_GATEWAY, unknownProcess))).contains(unknownProcess);

        Stall ofNamesake = stall("mds-2", "mds-2-context", 100, 300, "lock-wait");
        assertThat(RunDocument.mainOf(List.of(ofNamesake, SHORT)))
                .as("a name that begins with that of the service is another's")
                .contains(SHORT);
    }

    @Test
    void shouldTakeTheLongestStallOfTheServiceThatHasTheDiagnosedCause() {
        Stall shorter = stall("mds", "mds-context", 50, 25, "lock-wait");

        assertThat(DiagnosedStalls.NONE.main(document("lock-wait", OF_GATEWAY, shorter, SHORT, LONG)))
                .contains(SHORT);
        assertThat(DiagnosedStalls.NONE.main(document("traffic-burst", OF_GATEWAY, SHORT, LONG)))
                .contains(LONG);
        assertThat(DiagnosedStalls.NONE.main(document("traffic-burst", OF_GATEWAY)))
                .contains(OF_GATEWAY);
    }

    @Test
    void shouldTakeTheStallThatTheDiagnosisNames() {
        StallAccount account = new StallAccount(List.of(new AccountEntry(AccountKind.LOCK, 30, "a monitor")));
        Stall accounted = new Stall("mds", 100 * MS, 30, "mds-context", 4, "cannot-tell", account);
        DiagnosedStalls named = new DiagnosedStalls(stall("mds", "", 100, 30, "lock-wait"), List.of());

        assertThat(named.main(document("clean", LONG, accounted)))
                .as("the stall as it was counted, with the cause of the diagnosis")
                .contains(new Stall("mds", 100 * MS, 30, "mds-context", 4, "lock-wait", account));
        assertThat(named.main(document("clean", stall("gateway-1", "gateway-1-context", 100, 30, "disk-wait"))))
                .as("it was not counted: another process stalled at the same time")
                .contains(stall("mds", "", 100, 30, "lock-wait"));
    }

    @Test
    void shouldPointToTheStallOfTheCause() {
        DiagnosisRecord diagnosis = diagnosis("disk-wait", 1, 2);

        assertThat(DiagnosedStalls.NONE.focus(document("disk-wait", SHORT, LONG), diagnosis))
                .contains(new Interval(500 * MS, 590 * MS));
        assertThat(new DiagnosedStalls(SHORT, List.of()).focus(document("disk-wait", SHORT, LONG), diagnosis))
                .as("the diagnosis names another one")
                .contains(new Interval(100 * MS, 130 * MS));
    }

    @Test
    void shouldPointToTheEvidenceOfACauseThatIsNoStalls() {
        RunDocument document = document("network-loss", LONG);

        assertThat(DiagnosedStalls.NONE.focus(document, diagnosis("network-loss", 7_000, 0, 3_000, 5_000)))
                .as("0 is no time")
                .contains(new Interval(3_000, 7_000));
        assertThat(DiagnosedStalls.NONE.focus(document, diagnosis("network-loss", 0)))
                .contains(new Interval(500 * MS, 590 * MS));
        assertThat(DiagnosedStalls.NONE.focus(document, diagnosis("clean", 7_000)))
                .contains(new Interval(500 * MS, 590 * MS));
        assertThat(DiagnosedStalls.NONE.focus(document, null)).contains(new Interval(500 * MS, 590 * MS));
        assertThat(DiagnosedStalls.NONE.focus(document("clean"), null)).isEmpty();
    }

    @Test
    void shouldFindBothInTheFileOfTheDiagnosis() {
        DiagnosisRecord diagnosis = Json.fromLine(
                "{\"cause\":\"lock-wait\",\"causes\":[{\"cause\":\"lock-wait\",\"atNs\":7},{}],"
                        + "\"stall\":{\"process\":\"mds\",\"atNs\":7,\"durationMs\":30.5,\"majorFaults\":0}}",
                DiagnosisRecord.class);
        DiagnosedStalls diagnosed = diagnosis.diagnosed();

        assertThat(diagnosed.stall()).isEqualTo(new Stall("mds", 7, 30.5, "", 0, "unknown"));
        assertThat(diagnosed.causes())
                .extracting(DiagnosedStalls.DiagnosedCause::cause)
                .containsExactly("lock-wait", "unknown");
    }

    @Test
    void shouldReadAStallOfAnyVersion() {
        Stall read = Json.fromLine("{\"atNs\":1000,\"durationMs\":20.0000006}", Stall.class);

        assertThat(read).isEqualTo(new Stall("unknown", 1_000, 20.0000006, "", -1, "unknown"));
        assertThat(read.durationNs()).as("rounded, not cut").isEqualTo(20_000_001);
        assertThat(read.endNs()).isEqualTo(20_001_001);
        assertThat(read.who()).isEqualTo("the thread that polls");
        assertThat(LONG.who()).isEqualTo("mds-context");
        assertThat(Json.line(LONG))
                .isEqualTo("{\"atNs\":500000000,\"durationMs\":90.0,\"process\":\"mds\",\"thread\":\"mds-context\","
                        + "\"majorFaults\":0,\"cause\":\"disk-wait\"}");
    }

    private static Stall stall(String process, String thread, long atMs, double durationMs, String cause) {
        return new Stall(process, atMs * MS, durationMs, thread, 0, cause);
    }

    private static RunDocument document(String diagnosis, Stall... stalls) {
        return new RunDocument(
                RunCase.ofWatch(),
                new RunDocument.Finding(null, diagnosis),
                RunDocument.Messages.NONE,
                new RunDocument.Counts(0, 0, 0, 0, 0),
                List.of(stalls),
                null);
    }

    private static DiagnosisRecord diagnosis(String cause, long... evidenceAtNs) {
        return new DiagnosisRecord(
                new DiagnosisRecord.Named(cause, null),
                new DiagnosisRecord.Grounds(
                        Arrays.stream(evidenceAtNs)
                                .mapToObj(atNs -> new DiagnosisRecord.Evidence(atNs, "seen", ""))
                                .toList(),
                        List.of(),
                        List.of()),
                new DiagnosisRecord.Advice(List.of(), List.of(), ""),
                new DiagnosisRecord.Others(List.of(), null, List.of()));
    }
}
