package org.naklab.lab.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadBusyTest {
    private static final long MS = 1_000_000L;

    /** Is reached after 100 ms. */
    private static final JvmEvent.Safepoint SAFEPOINT =
            new JvmEvent.Safepoint("service", "", new Interval(1_000 * MS, 1_130 * MS), 100 * MS, "", "");

    @ParameterizedTest
    @CsvSource({
        "service, 900, 1100, true",
        "service, 1000, 1100, true",
        "service, 1010, 1105, true",
        "service, 900, 1085, false",
        "service, 900, 1115, false",
        "service, 1040, 1100, false",
        "other, 900, 1100, false"
    })
    void shouldNameTheThreadWhoseBusyTimeEndsWithTheWay(String process, long fromMs, long toMs, boolean isLate) {
        ThreadBusy busy = busy(process, "worker", fromMs, toMs);
        assertThat(ThreadBusy.late(SAFEPOINT, List.of(busy)).isPresent()).isEqualTo(isLate);
    }

    @Test
    void shouldNameTheLastOne() {
        ThreadBusy last = busy("service", "last", 900, 1_101);
        assertThat(ThreadBusy.late(
                        SAFEPOINT,
                        List.of(busy("service", "earlier", 900, 1_095), last, busy("service", "compiler", 900, 1_300))))
                .contains(last);
    }

    @ParameterizedTest
    @CsvSource({"60, 20, 20, ON_CPU", "10, 80, 0, WITHOUT_CPU", "10, 10, 70, PAGE_FAULT", "10, 10, 10, BLOCKED"})
    void shouldTellWhatTheThreadDid(long cpuMs, long runnableMs, long faultMs, ThreadBusy.Activity activity) {
        ThreadBusy busy = new ThreadBusy(
                "service", "worker", new Interval(0, 100 * MS), cpuMs * MS, runnableMs * MS, faultMs * MS);
        assertThat(busy.activity()).isEqualTo(activity);
        assertThat(TimelineEvent.of(busy.timeNs(), busy.type(), busy.process(), busy.thread(), busy.details()))
                .isEqualTo(busy);
    }

    private static ThreadBusy busy(String process, String thread, long fromMs, long toMs) {
        return new ThreadBusy(process, thread, new Interval(fromMs * MS, toMs * MS), (toMs - fromMs) * MS, 0, 0);
    }
}
