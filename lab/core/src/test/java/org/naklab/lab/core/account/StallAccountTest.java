package org.naklab.lab.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StallAccountTest {
    @Test
    void shouldAddUpShortPartsAndNameTheUnexplainedLast() {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.UNEXPLAINED, 0.2, ""),
                new AccountEntry(AccountKind.LOCK, 0.2, "woken by java"),
                new AccountEntry(AccountKind.PREEMPTED, 5.4, "by java"),
                new AccountEntry(AccountKind.ON_CPU, 0.1, ""),
                new AccountEntry(AccountKind.PAGE_FAULT, 150.0, "libc.so.6 .gnu.hash")));
        assertThat(account.terms())
                .containsExactly(
                        "155.9 ms = 150.0 page fault (libc.so.6 .gnu.hash)",
                        "+ 5.4 preempted (by java)",
                        "+ 0.3 other",
                        "+ 0.2 unexplained");
    }

    @Test
    void shouldNameTheLongestPartHoweverShort() {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.SLEEP, 0.4, ""),
                new AccountEntry(AccountKind.ON_CPU, 0.3, ""),
                new AccountEntry(AccountKind.UNEXPLAINED, 0.004, "")));
        assertThat(account.terms()).containsExactly("0.7 ms = 0.4 sleep", "+ 0.3 other", "+ <0.1 unexplained");
    }

    @Test
    void shouldLeaveOutWhatWouldBePrintedAsZero() {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.SLEEP, 150.0, ""), new AccountEntry(AccountKind.PREEMPTED, 0.04, "")));
        assertThat(account.terms()).containsExactly("150.0 ms = 150.0 sleep");
    }

    @Test
    void shouldNameOnlyTheUnexplainedWhereNothingIsKnown() {
        assertThat(new StallAccount(List.of(new AccountEntry(AccountKind.UNEXPLAINED, 40.0, ""))).terms())
                .containsExactly("40.0 ms = 40.0 unexplained");
        assertThat(StallAccount.NONE.terms()).isEmpty();
    }
}
