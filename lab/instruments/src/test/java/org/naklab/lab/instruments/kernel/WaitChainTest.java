package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.ThreadAbsence;

class WaitChainTest {
    private static final TaskId WAITER = new TaskId(7, 7, "waiter");
    private static final TaskId HOLDER = new TaskId(7, 8, "holder");
    private final WaitChain chain = new WaitChain();

    @ParameterizedTest
    @CsvSource({"100, 200, true", "0, 150, true", "100, 149, false", "0, 100, false", "150, 200, true"})
    void shouldKnowTheWaitThatTookMostOfTheTime(long fromNs, long toNs, boolean isKnown) {
        Absence ofHolder = absence(HOLDER, fromNs, toNs, null, false);
        chain.add(ofHolder);
        assertThat(chain.beforeWaking(absence(WAITER, 100, 200, HOLDER, false)).isPresent())
                .isEqualTo(isKnown);
    }

    @Test
    void shouldTakeTheLongestWait() {
        chain.add(absence(HOLDER, 90, 151, null, false));
        Absence longest = absence(HOLDER, 120, 200, null, false);
        chain.add(longest);
        assertThat(chain.beforeWaking(absence(WAITER, 100, 200, HOLDER, false))).contains(longest);
    }

    @Test
    void shouldNotBlameTheThreadThatATimerInterrupted() {
        chain.add(absence(HOLDER, 100, 200, null, false));
        assertThat(chain.beforeWaking(absence(WAITER, 100, 200, HOLDER, true))).isEmpty();
    }

    @Test
    void shouldNotTakeAnotherProcessForTheWaker() {
        chain.add(absence(new TaskId(9, HOLDER.tid(), "holder"), 100, 200, null, false));
        assertThat(chain.beforeWaking(absence(WAITER, 100, 200, HOLDER, false))).isEmpty();
    }

    private static Absence absence(TaskId task, long beginNs, long endNs, @Nullable TaskId waker, boolean byInterrupt) {
        return new Absence(
                task,
                beginNs,
                endNs,
                ThreadAbsence.State.SLEEPING,
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
