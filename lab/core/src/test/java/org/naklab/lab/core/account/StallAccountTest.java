package org.naklab.lab.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.Json;

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
    void shouldWriteAbbreviationsInCapitals() {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.ON_CPU, 3, ""),
                new AccountEntry(AccountKind.GC, 2, ""),
                new AccountEntry(AccountKind.VM_OPERATION, 1, "")));
        assertThat(account.terms()).containsExactly("6.0 ms = 3.0 on CPU", "+ 2.0 GC", "+ 1.0 VM operation");
    }

    @Test
    void shouldReadAnEntryOfAnotherVersionAsUnexplained() {
        StallAccount account =
                Json.fromLine("[{\"ms\": 2.0}, {\"kind\": \"new-kind\", \"ms\": 3.0}]", StallAccount.class);
        assertThat(account.ms(AccountKind.UNEXPLAINED)).isEqualTo(5.0);
    }

    @Test
    void shouldNameOnlyTheUnexplainedWhereNothingIsKnown() {
        assertThat(new StallAccount(List.of(new AccountEntry(AccountKind.UNEXPLAINED, 40.0, ""))).terms())
                .containsExactly("40.0 ms = 40.0 unexplained");
        assertThat(StallAccount.NONE.terms()).isEmpty();
    }
}
