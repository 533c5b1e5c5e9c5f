package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.ThreadAbsence;

@Timeout(60)
final class AbsenceTest {
    private static final TaskId WAITER = new TaskId(7, 7, "mds-context");

    /** Soft interrupts take a processor for a moment, again and again; who else ran last had it for the rest. */
    @ParameterizedTest
    @CsvSource({
        "hog, other, hog",
        "ksoftirqd/0, hog, hog",
        "ksoftirqd/0, ksoftirqd/0, ksoftirqd/0",
        "ksoftirqd/0, swapper/0, ksoftirqd/0",
        "ksoftirqd/0, , ksoftirqd/0",
        ", hog, "
    })
    void shouldTellWhoRanInstead(@Nullable String next, @Nullable String previous, @Nullable String expected) {
        TaskId instead = absence(task(next), task(previous), null).instead();
        assertThat(instead == null ? null : instead.comm()).isEqualTo(expected);
    }

    /** The first one may have run for a moment only. */
    @Test
    void shouldNameTheThreadThatRanLongest() {
        TaskId instead =
                absence(task("naklab-timer"), task("swapper/0"), task("hog")).instead();
        assertThat(instead).isNotNull().extracting(TaskId::comm).isEqualTo("hog");
    }

    private static @Nullable TaskId task(@Nullable String comm) {
        return comm == null ? null : new TaskId(comm.startsWith("swapper") ? 0 : 9, 9, comm);
    }

    private static Absence absence(@Nullable TaskId next, @Nullable TaskId previous, @Nullable TaskId longest) {
        return new Absence(
                WAITER,
                100,
                200,
                ThreadAbsence.State.PREEMPTED,
                false,
                0,
                0,
                null,
                next,
                previous,
                longest,
                longest == null ? 0 : 50,
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
