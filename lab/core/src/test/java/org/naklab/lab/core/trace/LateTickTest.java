package org.naklab.lab.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;

final class LateTickTest {
    private static final long BEGIN = 100_000_016_000L;
    private static final List<String> STACK =
            List.of("trace_event_raw_event", "asm_sysvec_apic_timer_interrupt", "__slab_free", "kfree");

    /** An idle time left out ten of 40 ticks; one came 250 µs after it was due, and the first one 40 µs. */
    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 3_333_333, 4_000_000, 10_000_000})
    void shouldFindTheTickThatCameLatestAfterItWasDue(long periodNs) {
        List<TraceLine> lines = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            boolean isLate = i == 30;
            if (i < 10 || i >= 20) {
                long lateNs = isLate ? 250_000 : i == 0 ? 40_000 : i % 3 * 100;
                lines.addAll(tick(BEGIN + i * periodNs + lateNs, 1, isLate ? STACK : List.of()));
            }
        }
        long dueNs = BEGIN + 30 * periodNs;
        assertThat(LateTick.of(lines))
                .containsExactly(new LateTick(
                        1, new Interval(dueNs, dueNs + 250_000), "mds-context", List.of("__slab_free", "kfree")));
    }

    @Test
    void shouldNotTakeAnEarlyTickForALateOne() {
        List<TraceLine> lines = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            lines.addAll(tick(BEGIN + i * 4_000_000L + (i == 20 ? -90_000 : i == 25 ? 70_000 : 1_000), 0, List.of()));
        }
        assertThat(LateTick.of(lines)).singleElement().satisfies(late -> {
            assertThat(late.interval().endNs()).isEqualTo(BEGIN + 25 * 4_000_000L + 70_000);
            assertThat(late.interval().lengthNs()).isEqualTo(69_000);
        });
    }

    @Test
    void shouldHaveNoneOfACpuWithFewTicksNorOfOtherTimers() {
        List<TraceLine> lines = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            lines.addAll(tick(BEGIN + i * 4_000_000L, 0, List.of()));
        }
        for (int i = 0; i < 50; i++) {
            lines.add(line(
                    BEGIN + i * 4_000_000L,
                    1,
                    "hrtimer_expire_entry",
                    "hrtimer=1 function=hrtimer_wakeup now=5",
                    STACK));
        }
        assertThat(LateTick.of(lines)).isEmpty();
        assertThat(LateTick.of(List.of())).isEmpty();
    }

    private static List<TraceLine> tick(long timeNs, int cpu, List<String> stack) {
        return List.of(
                line(timeNs, cpu, "local_timer_entry", "vector=236", stack),
                line(
                        timeNs,
                        cpu,
                        "hrtimer_expire_entry",
                        "hrtimer=1 function=tick_nohz_handler now=" + timeNs,
                        List.of()));
    }

    private static TraceLine line(long timeNs, int cpu, String event, String text, List<String> stack) {
        return new TraceLine(timeNs, cpu, 200, "mds-context", event, text, stack);
    }
}
