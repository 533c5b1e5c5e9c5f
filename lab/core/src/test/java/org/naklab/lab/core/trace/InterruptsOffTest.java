package org.naklab.lab.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;

/** Lines in the form of the kernel's source, include/trace/events/preemptirq.h: no kernel of the tests has the tracepoints. */
@Timeout(60)
class InterruptsOffTest {
    private static final long US = 1_000;
    private static final long SECOND = 100_000_000 * US;

    @Test
    void shouldTellTheLongestSectionOfEachCpuWithTheFunctionThatBeganIt() throws IOException {
        assertThat(of("""
                    mds-context-200     [001] d....   100.000010: irq_enable: caller=irqentry_exit+0x3b/0x50 parent=0x0
                    mds-context-200     [001] d....   100.000100: irq_disable: caller=kmem_cache_free+0x1a8/0x3f0 parent=skb_release_data+0x11d/0x1f0
                         <idle>-0       [000] d....   100.000110: irq_disable: caller=cpuidle_enter_state+0x9c/0x410 parent=0x0
                    mds-context-200     [001] d....   100.000350: irq_enable: caller=kmem_cache_free+0x2b0/0x3f0 parent=skb_release_data+0x11d/0x1f0
                    mds-context-200     [001] d....   100.000400: irq_disable: caller=irqentry_enter+0x2a/0x60 parent=0x0
                         <idle>-0       [000] d....   100.000410: irq_enable: caller=cpuidle_enter_state+0x200/0x410 parent=0x0
                    mds-context-200     [001] d....   100.000420: irq_enable: caller=irqentry_exit+0x3b/0x50 parent=0x0
                    mds-context-200     [001] d....   100.000430: irq_disable: caller=irqentry_enter+0x2a/0x60 parent=0x0
                """))
                .containsExactly(
                        new InterruptsOff(
                                0,
                                new Interval(SECOND + 110 * US, SECOND + 410 * US),
                                "idle",
                                "cpuidle_enter_state",
                                ""),
                        new InterruptsOff(
                                1,
                                new Interval(SECOND + 100 * US, SECOND + 350 * US),
                                "mds-context",
                                "kmem_cache_free",
                                "skb_release_data"));
    }

    @Test
    void shouldTellNothingOfATraceWithoutTheTracepoints() throws IOException {
        assertThat(of("    mds-context-200     [001] d....   100.000010: local_timer_entry: vector=236\n"))
                .isEmpty();
    }

    private static List<InterruptsOff> of(String trace) throws IOException {
        return InterruptsOff.of(TraceFile.read(new StringReader(trace)));
    }
}
