package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.ThreadAbsence.State;
import org.naklab.lab.core.timeline.ThreadAbsence.WakerWait;

class WaitChainTest {
    private static final TaskId WAITER = new TaskId(7, 7, "waiter");
    private static final TaskId HOLDER = new TaskId(7, 8, "holder");
    private static final TaskId SECOND = new TaskId(7, 9, "second");
    private static final TaskId THIRD = new TaskId(7, 10, "third");
    private final WaitChain chain = new WaitChain();

    @ParameterizedTest
    @CsvSource({
        "100, 200, 0, 100",
        "0, 150, 0, 50",
        "150, 200, 50, 50",
        "120, 250, 20, 80",
        "100, 149, 0, 0",
        "0, 100, 0, 0"
    })
    void shouldKnowTheWaitThatTookMostOfTheTime(long fromNs, long toNs, long afterNs, long durationNs) {
        chain.add(absence(HOLDER, fromNs, toNs, null, false));
        List<WakerWait> waits = chainOf(absence(WAITER, 100, 200, HOLDER, false));
        if (durationNs == 0) {
            assertThat(waits).isEmpty();
        } else {
            assertThat(waits)
                    .containsExactly(new WakerWait(
                            afterNs, durationNs, State.SLEEPING, "", ThreadAbsence.Ending.UNKNOWN, List.of(), null));
        }
    }

    @Test
    void shouldTakeTheLongestWait() {
        chain.add(absence(HOLDER, 90, 151, null, false));
        chain.add(absence(HOLDER, 120, 200, null, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, false)))
                .extracting(WakerWait::durationNs)
                .containsExactly(80L);
    }

    @Test
    void shouldNotBlameTheThreadThatATimerInterrupted() {
        chain.add(absence(HOLDER, 100, 200, null, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, true))).isEmpty();
    }

    @Test
    void shouldNotTakeAnotherProcessForTheWaker() {
        chain.add(absence(new TaskId(9, HOLDER.tid(), "holder"), 100, 200, null, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, false))).isEmpty();
    }

    /** The holder of the lock waits for another one, and the holder of that one for a third: each is asked only for the time in which the one before it waited. */
    @Test
    void shouldFollowTheHoldersOfHolders() {
        chain.add(absence(THIRD, 0, 160, null, false));
        chain.add(absence(SECOND, 120, 180, THIRD, false));
        chain.add(absence(HOLDER, 110, 190, SECOND, false));
        List<WakerWait> waits = chainOf(absence(WAITER, 100, 200, HOLDER, false));
        assertThat(waits).extracting(WakerWait::waker).containsExactly("second", "third", "");
        assertThat(waits).extracting(WakerWait::afterNs).containsExactly(10L, 20L, 20L);
        assertThat(waits).extracting(WakerWait::durationNs).containsExactly(80L, 60L, 40L);
    }

    /** The second was away for less than half of the time in which the first waited for it: it worked, and had not waited for the third. */
    @Test
    void shouldEndWithTheHolderThatWasNotAwayForMostOfTheTime() {
        chain.add(absence(THIRD, 100, 200, null, false));
        chain.add(absence(SECOND, 160, 190, THIRD, false));
        chain.add(absence(HOLDER, 100, 190, SECOND, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, false)))
                .extracting(WakerWait::waker)
                .containsExactly("second");
    }

    @Test
    void shouldEndWithTheHolderWhoseWakerWasNotRecorded() {
        chain.add(absence(HOLDER, 100, 190, SECOND, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, false)))
                .extracting(WakerWait::waker)
                .containsExactly("second");
    }

    @Test
    void shouldCountNoThreadOfACircleTwice() {
        chain.add(absence(WAITER, 100, 170, HOLDER, false));
        chain.add(absence(SECOND, 100, 180, HOLDER, false));
        chain.add(absence(HOLDER, 100, 190, SECOND, false));
        assertThat(chainOf(absence(WAITER, 100, 200, HOLDER, false)))
                .extracting(WakerWait::waker)
                .containsExactly("second", "holder");
    }

    @Test
    void shouldFollowNoMoreThanFour() {
        List<TaskId> tasks = IntStream.range(20, 27)
                .mapToObj(tid -> new TaskId(7, tid, "t" + tid))
                .toList();
        for (int i = 0; i < tasks.size() - 1; i++) {
            chain.add(absence(tasks.get(i), 100, 190 - i, tasks.get(i + 1), false));
        }
        assertThat(chainOf(absence(WAITER, 100, 200, tasks.get(0), false))).hasSize(WakerWait.MOST_STEPS);
    }

    private List<WakerWait> chainOf(Absence absence) {
        WakerWait first = chain.beforeWaking(absence);
        return first == null ? List.of() : first.chain();
    }

    private static Absence absence(TaskId task, long beginNs, long endNs, @Nullable TaskId waker, boolean byInterrupt) {
        return new Absence(
                task,
                beginNs,
                endNs,
                State.SLEEPING,
                false,
                0,
                0,
                waker == null ? null : new Waking(endNs, waker, byInterrupt, List.of()),
                null,
                null,
                null,
                0,
                null,
                0,
                "",
                null,
                null,
                null,
                List.of(),
                List.of(),
                false);
    }
}
