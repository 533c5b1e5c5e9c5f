package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.records.Stall;

@Timeout(60)
final class StallGroupTest {
    private static final String REPORTER = "in on_datagram, woken by reporter";

    @Test
    void shouldTellStallsOfOneKindInOneSentence() {
        List<StallGroup> groups = StallGroup.of(List.of(
                stall(300.4, AccountKind.LOCK, REPORTER),
                stall(298.9, AccountKind.LOCK, REPORTER),
                stall(301.2, AccountKind.LOCK, REPORTER)));

        assertThat(groups)
                .extracting(StallGroup::sentence)
                .containsExactly(
                        "3 stalls; each time recv waited about 301 ms for a lock in on_datagram, woken by reporter");
        assertThat(groups.get(0).longest().durationMs()).isEqualTo(301.2);
    }

    @Test
    void shouldTellOtherKindsApartAndTheLongestFirst() {
        List<StallGroup> groups = StallGroup.of(List.of(
                stall(100, AccountKind.LOCK, REPORTER),
                stall(20, AccountKind.PREEMPTED, "by cc1"),
                stall(400, AccountKind.STOPPED, ""),
                stall(60, AccountKind.PREEMPTED, "by javac")));

        assertThat(groups)
                .extracting(StallGroup::sentence)
                .containsExactly(
                        "1 stall: recv stood still for 400.0 ms: a signal had stopped the process",
                        "1 stall: recv waited 100.0 ms for a lock in on_datagram, woken by reporter",
                        "2 stalls; each time recv was runnable for 20 to 60 ms and had no CPU");
    }

    @Test
    void shouldNotGiveTheWholeTimeToWhatTookAPartOfIt() {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.LOCK, 128.6, "woken by worker"),
                new AccountEntry(AccountKind.PREEMPTED, 110.4, ""),
                new AccountEntry(AccountKind.ON_CPU, 61, "")));

        assertThat(StallGroup.of(List.of(new Stall("4711", 0, 300, "node", -1, "cannot-tell", account))))
                .extracting(StallGroup::sentence)
                .containsExactly("1 stall: node waited 128.6 of 300.0 ms for a lock, woken by worker");
    }

    @Test
    void shouldSayThatAStallIsUnexplained() {
        Stall stall = new Stall("4711", 0, 25, "recv", -1, "cannot-tell", StallAccount.NONE);

        assertThat(StallGroup.of(List.of(stall)))
                .extracting(StallGroup::sentence)
                .containsExactly("1 stall: recv stood still for 25.0 ms, unexplained");
    }

    @Test
    void shouldTellAStallWhoseThreadIsNotKnown() {
        Stall stall = new Stall("4711", 0, 25, "", -1, "cannot-tell", StallAccount.NONE);

        assertThat(StallGroup.of(List.of(stall)))
                .extracting(StallGroup::sentence)
                .containsExactly("1 stall: the thread that polls stood still for 25.0 ms, unexplained");
    }

    @Test
    void shouldHaveASentenceForEachKind() {
        for (AccountKind kind : AccountKind.values()) {
            assertThat(StallGroup.of(List.of(stall(50, kind, ""))).get(0).sentence())
                    .contains("recv")
                    .contains("50.0 ms");
        }
    }

    private static Stall stall(double ms, AccountKind kind, String detail) {
        StallAccount account = new StallAccount(
                List.of(new AccountEntry(kind, ms - 1, detail), new AccountEntry(AccountKind.ON_CPU, 1, "")));
        return new Stall("4711", 0, ms, "recv", -1, "lock-wait", account);
    }
}
