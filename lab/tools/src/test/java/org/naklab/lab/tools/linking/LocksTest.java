package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.tools.linking.Locks.Word;
import org.naklab.lab.tools.linking.SystemRecorder.FutexLine;

/** Sums waits that are given by lock. */
@Timeout(60)
final class LocksTest {
    private static final Word SHORT = new Word(7, "0x10");
    private static final Word LONG = new Word(7, "0x20");
    /** The same address in another process is another lock. */
    private static final Word ELSEWHERE = new Word(8, "0x20");

    private static final List<SystemAccount.ThreadAccount> THREADS =
            List.of(thread("writer", 70), thread("reader", 71));

    private static SystemAccount.ThreadAccount thread(String name, int tid) {
        return new SystemAccount.ThreadAccount(name, 7, tid, 1, new SystemAccount.Parts(1, 0, 0, 0, 0, 0, 0, 0));
    }

    private static FutexLine wait(Word word, int holder, long waits, long totalMs, long longestMs, int longestTid) {
        return new FutexLine(word, holder, true, waits, totalMs * 1_000_000, longestMs * 1_000_000, longestTid);
    }

    @Test
    void shouldNameWhoHeldALockLongestAndWhoWaitedLongest() {
        List<SystemAccount.Lock> locks = Locks.of(
                List.of(
                        wait(SHORT, 70, 1, 10, 10, 71),
                        wait(LONG, 70, 9, 30, 4, 71),
                        wait(LONG, 71, 2, 50, 40, 70),
                        wait(LONG, 70, 1, 25, 25, 99),
                        wait(ELSEWHERE, 5, 1, 20, 20, 6)),
                THREADS);
        assertThat(locks)
                .containsExactly(
                        new SystemAccount.Lock(
                                7, "0x20", "writer (70)", "writer (70)", new SystemAccount.Waits(12, 0.105, 0.04)),
                        new SystemAccount.Lock(
                                8, "0x20", "thread 5", "thread 6", new SystemAccount.Waits(1, 0.02, 0.02)),
                        new SystemAccount.Lock(
                                7, "0x10", "writer (70)", "reader (71)", new SystemAccount.Waits(1, 0.01, 0.01)));
    }

    /** Of most of the time nobody knows who held it: the only one who is known is named, and nobody if none is. */
    @Test
    void shouldNameNobodyWhereTheHolderIsUnknown() {
        assertThat(Locks.of(List.of(wait(LONG, 0, 1, 90, 90, 71), wait(LONG, 70, 1, 10, 10, 71)), THREADS))
                .extracting(SystemAccount.Lock::holder)
                .containsExactly("writer (70)");
        assertThat(Locks.of(List.of(wait(LONG, 0, 1, 90, 90, 71)), THREADS))
                .singleElement()
                .satisfies(lock -> {
                    assertThat(lock.holder()).isEmpty();
                    assertThat(SystemText.cells(lock))
                            .containsExactly("unknown", "1", "0.090000", "0.090000", "reader (71)", "0x20");
                });
    }

    @Test
    void shouldCountConditionsApartFromLocks() {
        FutexLine condition = new FutexLine(LONG, 70, false, 3, 7_000_000, 5_000_000, 71);
        List<FutexLine> lines = List.of(condition, wait(SHORT, 70, 1, 10, 10, 71), condition);
        assertThat(Locks.conditions(lines)).isEqualTo(new SystemAccount.Waits(6, 0.014, 0.005));
        assertThat(Locks.of(lines, THREADS))
                .extracting(SystemAccount.Lock::address)
                .containsExactly("0x10");
        assertThat(Locks.conditions(List.of())).isEqualTo(new SystemAccount.Waits(0, 0, 0));
    }

    @Test
    void shouldShareTheLifeOfAThreadOut() {
        assertThat(SystemText.cells(new SystemAccount.ThreadAccount(
                        "reader", 7, 71, 8, new SystemAccount.Parts(4, 2, 1, 0.5, 0.25, 0.125, 0.0625, 0.0625))))
                .containsExactly("reader (71)", "8.000", "50.0", "25.0", "12.5", "6.3", "3.1", "1.6", "0.8", "0.8");
        assertThat(SystemText.cells(new SystemAccount.ThreadAccount(
                        "gone", 7, 72, 0, new SystemAccount.Parts(0, 0, 0, 0, 0, 0, 0, 0))))
                .contains("0.000", "0.0")
                .doesNotContain("NaN");
    }
}
