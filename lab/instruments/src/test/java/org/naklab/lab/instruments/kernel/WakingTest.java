package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.ThreadAbsence;

@Timeout(60)
final class WakingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_to_wake_up < wake_up_q < rwsem_wake < dup_mmap < copy_process",
                "try_to_wake_up < wake_up_q < __mutex_unlock_slowpath.isra.0 < pipe_write",
                "try_to_wake_up < __up < up < do_something"
            })
    void shouldKnowTheReleaseOfALockOfTheKernel(String stack) {
        assertThat(by(stack).isUnlocking()).isTrue();
    }

    @Test
    void shouldNotTakeAnotherWakingForARelease() {
        assertThat(by("try_to_wake_up < wake_up_q < futex_wake < do_futex").isUnlocking())
                .isFalse();
        assertThat(by("try_to_wake_up < __update_something").isUnlocking()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "try_to_wake_up < __wake_up_sync_key < anon_pipe_write < vfs_write, PIPE",
        "try_to_wake_up < __wake_up_sync_key < pipe_release < __fput, PIPE",
        "try_to_wake_up < __wake_up < n_tty_receive_buf_common < pty_write, TERMINAL",
        "try_to_wake_up < __mutex_unlock_slowpath < pipe_write, UNLOCK",
        "wake_up_q < rwsem_wake < up_write < commit_transaction < kjournald2 < kthread < ret_from_fork, UNLOCK_BY_KERNEL",
        "try_to_wake_up < sock_def_readable < __udp_enqueue_schedule_skb, UNKNOWN"
    })
    void shouldTellWhatEndedAWait(String stack, ThreadAbsence.Ending ending) {
        assertThat(by(stack).ending()).isEqualTo(ending);
        Waking interrupt = new Waking(1, new TaskId(1, 1, "actor"), true, Arrays.asList(stack.split(" < ")));
        assertThat(interrupt.ending()).isEqualTo(ThreadAbsence.Ending.UNKNOWN);
    }

    private static Waking by(String stack) {
        TaskId waker = new TaskId(1, 1, "actor");
        return new Waking(1, waker, false, Arrays.asList(stack.split(" < ")));
    }
}
