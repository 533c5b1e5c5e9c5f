package org.naklab.lab.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

@Timeout(60)
final class AccountSoFarTest {
    private static final long MS = 1_000_000;

    private static TimelineEvent stall(long untilMs) {
        return new ThreadStall(
                100 * MS,
                TimelineEventType.STALL,
                "mds",
                "mds-context",
                Interruption.UNKNOWN,
                new ThreadStall.Sight((untilMs - 100) * MS, untilMs * MS, null, true, null, null));
    }

    private static PageFault fault(String thread, long fromMs, long untilMs) {
        return new PageFault("mds", thread, new Interval(fromMs * MS, untilMs * MS), true, "libc.so.6 .gnu.hash", "");
    }

    @Test
    void shouldAccountForWhatIsKnownSoFar() {
        List<TimelineEvent> events =
                List.of(fault("mds-context", 150, 180), fault("mds-journal", 100, 190), fault("mds-context", 110, 140));

        assertThat(Examination.accountSoFar(stall(200), events).entries())
                .containsExactly(
                        new AccountEntry(AccountKind.PAGE_FAULT, 60, "libc.so.6 .gnu.hash"),
                        new AccountEntry(AccountKind.UNEXPLAINED, 40, ""));
    }

    /** The wait for a page, and then the drops that follow from it. */
    @Test
    void shouldDiagnoseOfTheEventsAlone() {
        List<TimelineEvent> first = List.of(fault("mds-context", 105, 198));
        Diagnosis soFar = Examination.soFar(stall(200), first);
        assertThat(soFar.cause()).isEqualTo(Cause.MAJOR_FAULT);
        assertThat(seen(soFar)).contains("STALL").doesNotContain("DATAGRAMS_DROPPED");

        SocketEvent.Dropped dropped = new SocketEvent.Dropped(
                170 * MS, "mds", new SocketEvent.Socket(7, "", 40_123, ""), 12, 12, 171 * MS, null);
        assertThat(seen(Examination.soFar(stall(200), List.of(dropped, first.get(0)))))
                .contains("STALL", "DATAGRAMS_DROPPED");
    }

    private static List<String> seen(Diagnosis diagnosis) {
        return diagnosis.chain().stream()
                .filter(Link::present)
                .map(link -> link.type().name())
                .toList();
    }

    /** Nobody has read the counters of the ring yet. */
    @Test
    void shouldNotRuleOutWhatOnlyCountersCanRuleOut() {
        assertThat(Examination.soFar(stall(200), List.of(fault("mds-context", 105, 198)))
                        .suspects())
                .filteredOn(suspect -> suspect.name().equals("slow journal writes"))
                .singleElement()
                .satisfies(suspect -> assertThat(suspect.ruledOut()).isFalse());
    }

    @Test
    void shouldLeaveAStallOfWhichNothingIsKnownUnexplained() {
        assertThat(Examination.accountSoFar(stall(200), List.of()).entries())
                .containsExactly(new AccountEntry(AccountKind.UNEXPLAINED, 100, ""));
    }
}
