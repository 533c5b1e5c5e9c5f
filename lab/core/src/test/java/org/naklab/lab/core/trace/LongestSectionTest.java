package org.naklab.lab.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.CpuActivity.Kind;

final class LongestSectionTest {
    private static final long SECOND = 100 * 1_000_000_000L;
    private static final long US = 1_000;

    /** Two soft interrupts of one pass, 1 µs apart, one that a system call caused 3 µs later, one that goes on at the end, and an interrupt. */
    private static final String TRACE = """
                 mds-context-200     [001] ..s..   100.000100: softirq_entry: vec=1 [action=TIMER]
                 mds-context-200     [001] ..s..   100.000150: softirq_exit: vec=1 [action=TIMER]
                 mds-context-200     [001] ..s..   100.000151: softirq_entry: vec=9 [action=RCU]
                 mds-context-200     [001] d.h..   100.000200: local_timer_entry: vector=236
                 mds-context-200     [001] d.h..   100.000201: <stack trace>
             => trace_event_raw_event
             => asm_sysvec_apic_timer_interrupt
             => __slab_free
             => rcu_do_batch
                 mds-context-200     [001] d.h..   100.000230: local_timer_exit: vector=236
                 mds-context-200     [001] ..s..   100.000352: softirq_exit: vec=9 [action=RCU]
                 mds-context-200     [001] ..s..   100.000355: softirq_entry: vec=3 [action=NET_RX]
                 mds-context-200     [001] ..s..   100.000555: softirq_exit: vec=3 [action=NET_RX]
                      <idle>-0       [000] d.h..   100.000700: irq_handler_entry: irq=24 name=virtio0-input.0
                         hog-7       [000] d.h..   100.000701: <stack trace>
             => sysvec_apic_timer_interrupt
             => asm_sysvec_apic_timer_interrupt
                      <idle>-0       [000] d.h..   100.000705: irq_handler_exit: irq=24 ret=handled
                      <idle>-0       [001] ..s..   100.001000: softirq_entry: vec=3 [action=NET_RX]
                      <idle>-0       [001] d..2.   100.009000: sched_waking: comm=mds-context pid=200 prio=120 target_cpu=001
            """;

    @Test
    void shouldJoinThoseOfOnePassAndNameWhatTheTickInterrupted() throws IOException {
        assertThat(LongestSection.of(lines(), Kind.SOFT_INTERRUPT))
                .containsExactly(new LongestSection(
                        1,
                        Kind.SOFT_INTERRUPT,
                        new Interval(SECOND + 100 * US, SECOND + 352 * US),
                        List.of("TIMER", "RCU"),
                        "mds-context",
                        List.of("__slab_free", "rcu_do_batch")));
    }

    @Test
    void shouldHaveOneOfEachCpuThatHasOne() throws IOException {
        assertThat(LongestSection.of(lines(), Kind.INTERRUPT))
                .extracting(LongestSection::cpu)
                .containsExactly(0, 1);
    }

    @Test
    void shouldTellAProgramFromTheKernel() throws IOException {
        assertThat(LongestSection.of(lines(), Kind.INTERRUPT))
                .extracting(LongestSection::stack)
                .containsExactly(List.of(LongestSection.USER_SPACE), List.of("__slab_free", "rcu_do_batch"));
    }

    @Test
    void shouldHaveNoneWithoutEvents() {
        assertThat(LongestSection.of(List.of(), Kind.SOFT_INTERRUPT)).isEmpty();
    }

    private static List<TraceLine> lines() throws IOException {
        return TraceFile.read(new StringReader(TRACE));
    }
}
