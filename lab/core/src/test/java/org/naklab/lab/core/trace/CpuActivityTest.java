package org.naklab.lab.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity.Kind;
import org.naklab.lab.core.trace.CpuActivity.Section;
import org.naklab.lab.core.trace.CpuActivity.Sum;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CpuActivityTest {
    private static final long US = 1_000;
    private static final long SECOND = 100 * 1_000_000_000L;

    /** As the kernel prints it; the stack is of the tick within the soft interrupt. */
    private static final String TRACE = """
            # tracer: nop
            #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
                 mds-context-200     [001] d..2.   100.000100: sched_switch: prev_comm=mds-context prev_pid=200 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                      <idle>-0       [001] d..2.   100.000150: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=mds-context next_pid=200 next_prio=120
                Service Thread-300     [000] d.h..   100.000180: irq_handler_entry: irq=36 name=virtio1-req.0
                 mds-context-200     [001] ..s..   100.000200: softirq_entry: vec=3 [action=NET_RX]
                 mds-context-200     [001] d.h..   100.000400: local_timer_entry: vector=236
                 mds-context-200     [001] d.h..   100.000401: <stack trace>
             => asm_sysvec_apic_timer_interrupt
             => u32_classify
             => process_backlog
                 mds-context-200     [001] d.h..   100.000402: hrtimer_expire_entry: hrtimer=00000000f70561c1 function=tick_nohz_handler now=100000402000
                 mds-context-200     [001] d.h..   100.000410: hrtimer_expire_exit: hrtimer=00000000f70561c1
                 mds-context-200     [001] d.h..   100.000420: local_timer_exit: vector=236
                 mds-context-200     [001] ..s..   100.000900: softirq_exit: vec=3 [action=NET_RX]
                 mds-context-200     [001] d..2.   100.000950: sched_switch: prev_comm=mds-context prev_pid=200 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/1 next_pid=20 next_prio=120
             CPU:1 [LOST 3 EVENTS]
                 ksoftirqd/1-20      [001] d.h..   100.001000: irq_handler_entry: irq=24 name=virtio0-input.0
                 ksoftirqd/1-20      [001] d.h..   100.001010: irq_handler_exit: irq=24 ret=handled
                 ksoftirqd/1-20      [001] d..2.   100.001100: sched_switch: prev_comm=ksoftirqd/1 prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=mds-context next_pid=200 next_prio=120
            """;

    @Test
    void shouldTellWhatRanOnTheCpu() throws IOException {
        CpuActivity activity = CpuActivity.of(lines(), 1, interval(100, 1_100));
        assertThat(activity.sums())
                .containsExactly(
                        new Sum(Kind.THREAD, "mds-context", 1, 800 * US, 800 * US),
                        new Sum(Kind.THREAD, "ksoftirqd/1", 1, 150 * US, 150 * US),
                        new Sum(Kind.THREAD, "idle", 1, 50 * US, 50 * US),
                        new Sum(Kind.INTERRUPT, "local timer", 1, 20 * US, 20 * US),
                        new Sum(Kind.INTERRUPT, "irq 24 virtio0-input.0", 1, 10 * US, 10 * US),
                        new Sum(Kind.SOFT_INTERRUPT, "NET_RX", 1, 700 * US, 700 * US));
    }

    @Test
    void shouldCutWhatBeganBeforeOrEndedAfter() throws IOException {
        CpuActivity activity = CpuActivity.of(lines(), 1, interval(300, 500));
        assertThat(activity.longest(Kind.SOFT_INTERRUPT))
                .contains(new Section(Kind.SOFT_INTERRUPT, "NET_RX", interval(300, 500)));
        assertThat(activity.sums()).contains(new Sum(Kind.THREAD, "mds-context", 1, 200 * US, 200 * US));
    }

    @Test
    void shouldKeepTheStackOfTheKernelWithItsEvent() throws IOException {
        TraceLine stack = CpuActivity.of(lines(), 1, interval(100, 1_100)).stack();
        assertThat(stack).isNotNull();
        assertThat(stack.event()).isEqualTo("local_timer_entry");
        assertThat(stack.stack()).containsExactly("asm_sysvec_apic_timer_interrupt", "u32_classify", "process_backlog");
        assertThat(CpuActivity.of(lines(), 0, interval(100, 1_100)).stack()).isNull();
    }

    @Test
    void shouldFindTheCpuOfAThread() throws IOException {
        assertThat(CpuActivity.cpuOf(lines(), "mds-context", SECOND + 160 * US)).isEqualTo(OptionalInt.of(1));
        assertThat(CpuActivity.cpuOf(lines(), "Service Thread", SECOND)).isEqualTo(OptionalInt.of(0));
        assertThat(CpuActivity.cpuOf(lines(), "other", SECOND)).isEmpty();
    }

    @Test
    void shouldReadNamesWithBlanksAndDashes() throws IOException {
        TraceLine line = TraceFile.read(
                        new StringReader(
                                "  C1 Compiler-Thr-4287  [003] d..2.  2537.068511: sched_waking: comm=VM Periodic Tas pid=4291 prio=120 target_cpu=001\n"))
                .get(0);
        assertThat(line.comm()).isEqualTo("C1 Compiler-Thr");
        assertThat(line.tid()).isEqualTo(4287);
        assertThat(line.cpu()).isEqualTo(3);
        assertThat(line.timeNs()).isEqualTo(2_537_068_511_000L);
        assertThat(line.argument("comm")).isEqualTo("VM Periodic Tas");
        assertThat(line.argument("target_cpu")).isEqualTo("001");
        assertThat(line.argument("absent")).isEmpty();
    }

    private static List<TraceLine> lines() throws IOException {
        return TraceFile.read(new StringReader(TRACE));
    }

    private static Interval interval(long fromUs, long toUs) {
        return new Interval(SECOND + fromUs * US, SECOND + toUs * US);
    }
}
