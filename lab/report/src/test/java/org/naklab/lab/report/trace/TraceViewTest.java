package org.naklab.lab.report.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.trace.InterruptsOff;
import org.naklab.lab.core.trace.TraceFile;
import org.naklab.lab.core.trace.TraceSummary;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TraceViewTest {
    private static final long SECOND = 100 * 1_000_000_000L;
    private static final long MS = 1_000_000;

    private static final String TRACE = """
                 mds-context-200     [001] ..s..   100.010000: softirq_entry: vec=3 [action=NET_RX]
                 mds-context-200     [001] d.h..   100.014000: local_timer_entry: vector=236
                 mds-context-200     [001] d.h..   100.014001: <stack trace>
             => u32_classify
             => process_backlog
                 mds-context-200     [001] d.h..   100.014025: local_timer_exit: vector=236
                 mds-context-200     [001] ..s..   100.048000: softirq_exit: vec=3 [action=NET_RX]
                 mds-context-200     [001] d..2.   100.060000: sched_switch: prev_comm=mds-context prev_pid=200 prev_prio=120 prev_state=S ==> next_comm=hog next_pid=7 next_prio=120
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldShowWhatHadTheCpuInTheStall() throws IOException {
        write(SECOND + 70 * MS);
        Document page =
                Jsoup.parse(TraceView.html(directory, new Interval(SECOND + 5 * MS, SECOND + 65 * MS), "mds-context"));
        assertThat(page.text())
                .contains(
                        "CPU 1, on which mds-context was, in the stall of 60.000 ms. The trace has 91 % of that stall.")
                .contains("Longest soft interrupt: NET_RX, 38.000 ms")
                .contains("Longest interrupt: local timer, 0.025 ms")
                .contains("by STALL, 85 us after an instrument had reported it")
                .contains("Events lost: 2; overwritten because they were older than the rings can hold: 1,000.");
        assertThat(page.select("#trace-table tbody tr").eachText())
                .contains("soft interrupt NET_RX 1 38.000 ms 38.000 ms", "thread mds-context 1 50.000 ms 50.000 ms");
        assertThat(page.select("#trace-stack").text()).isEqualToNormalizingWhitespace("u32_classify process_backlog");
        assertThat(page.select("svg.cpu:not([id]) rect.soft")).hasSize(1);
        assertThat(page.select("svg.cpu:not([id]) rect.soft").attr("width")).isEqualTo("6333");
    }

    /** Of the whole trace, whatever the stall that matters is. */
    @Test
    void shouldDrawTheLongestSectionWithoutThreadsInMicroseconds() throws IOException {
        write(SECOND + 70 * MS);
        Document page = Jsoup.parse(TraceView.html(directory, new Interval(SECOND, SECOND + MS), "other"));
        assertThat(page.text()).contains("The longest such section of the whole trace: 38,000 µs of CPU 1, by NET_RX.");
        assertThat(page.select("#trace-sections tbody tr").eachText())
                .containsExactly(
                        "soft interrupts 1 38,000 µs NET_RX mds-context u32_classify process_backlog",
                        "interrupts 1 25 µs local timer mds-context u32_classify process_backlog");
        assertThat(page.select("#trace-section rect.soft").attr("x")).isEqualTo("1666");
        assertThat(page.select(".scale span").eachText()).startsWith("-9,500 µs", "0 µs");
    }

    /** The tick of a busy CPU comes each 4 ms; one came 250 µs after it was due. */
    @Test
    void shouldTellForHowLongInterruptsWereOff() throws IOException {
        StringBuilder ticks = new StringBuilder(TRACE);
        for (int i = 0; i < 40; i++) {
            long us = 4_000L * i + (i == 17 ? 250 : 0);
            String head = "     mds-context-200     [001] d.h..   101." + String.format(Locale.ROOT, "%06d", us) + ": ";
            ticks.append(head).append("local_timer_entry: vector=236\n");
            ticks.append(head)
                    .append("<stack trace>\n => asm_sysvec_apic_timer_interrupt\n => __slab_free\n => kfree\n");
            ticks.append(head)
                    .append("hrtimer_expire_entry: hrtimer=1 function=tick_nohz_handler now=")
                    .append(101_000_000_000L + 1_000 * us)
                    .append('\n');
            ticks.append(head).append("local_timer_exit: vector=236\n");
        }
        write(SECOND + 70 * MS, ticks.toString());
        Document page = Jsoup.parse(TraceView.html(directory, new Interval(SECOND, SECOND + MS), "other"));
        assertThat(page.select("#trace-sections tbody tr").eachText().get(2))
                .isEqualTo("no interrupts: a late tick 1 250 µs mds-context __slab_free kfree");
        assertThat(page.select("#trace-off").text()).startsWith("A tick that came late says");
        write(SECOND + 70 * MS);
        assertThat(Jsoup.parse(TraceView.html(directory, null, ""))
                        .select("#trace-off")
                        .text())
                .contains("too few ticks");
    }

    @Test
    void shouldTellWhichFunctionTurnedInterruptsOffOrThatTheKernelDoesNot() throws IOException {
        String off = """
                     mds-context-200     [001] d....   100.030000: irq_disable: caller=kmem_cache_free+0x1a8/0x3f0 parent=skb_free+0x11d/0x1f0
                     mds-context-200     [001] d....   100.030250: irq_enable: caller=kmem_cache_free+0x2b0/0x3f0 parent=skb_free+0x11d/0x1f0
                """;
        write(SECOND + 70 * MS, TRACE + off, new TraceSummary.Sources(InterruptsOff.TRACEPOINTS, List.of(), List.of()));
        Document told = Jsoup.parse(TraceView.html(directory, new Interval(SECOND, SECOND + MS), "other"));
        assertThat(told.select("#trace-sections tbody tr").eachText())
                .contains("no interrupts: turned off 1 250 µs mds-context kmem_cache_free skb_free");
        assertThat(told.select("#trace-off").text())
                .startsWith("Where it says that interrupts were turned off, the kernel's tracepoints tell it");

        write(SECOND + 70 * MS, TRACE, new TraceSummary.Sources(List.of(), List.of(), InterruptsOff.TRACEPOINTS));
        Document without = Jsoup.parse(TraceView.html(directory, new Interval(SECOND, SECOND + MS), "other"));
        assertThat(without.select("#trace-sections").text()).doesNotContain("turned off");
        assertThat(without.select("#trace-off").text())
                .startsWith(
                        "When interrupts were off is not on this kernel: it has no tracepoints preemptirq:irq_disable");
    }

    @Test
    void shouldSayThatTheTraceIsOfAnotherTime() throws IOException {
        write(SECOND + 4 * MS);
        Document page =
                Jsoup.parse(TraceView.html(directory, new Interval(SECOND + 5 * MS, SECOND + 65 * MS), "mds-context"));
        assertThat(page.select("[data-absent=trace]").text())
                .isEqualTo("The trace has nothing of the stall that matters: it ended before the stall did.");
        assertThat(page.select("#trace-table")).isEmpty();
    }

    /** Of 60 ms it has one microsecond, or 40 ms. */
    @Test
    void shouldSayHowMuchOfTheStallTheTraceHas() throws IOException {
        Interval stall = new Interval(SECOND + 20 * MS, SECOND + 80 * MS);
        write(SECOND + 20 * MS + 1_000);
        Document little = Jsoup.parse(TraceView.html(directory, stall, "mds-context"));
        assertThat(little.select("[data-absent=trace]").text())
                .isEqualTo(
                        "The trace has less than 1 % of the stall that matters, which is too little to tell what ran "
                                + "in it: it ended before the stall did.");
        assertThat(little.select("#trace-covered")).isEmpty();

        write(SECOND + 60 * MS);
        Document most = Jsoup.parse(TraceView.html(directory, stall, "mds-context"));
        assertThat(most.select("#trace-covered").text())
                .isEqualTo(
                        "The trace has 66 % of that stall; 0.000 ms before its oldest event and 20.000 ms after its end "
                                + "are not in it.");
        assertThat(most.select("#trace-covered").attr("data-share")).isEqualTo("0.667");

        write(SECOND + 70 * MS);
        Interval before = new Interval(SECOND - 60 * MS, SECOND + 11 * MS);
        assertThat(Jsoup.parse(TraceView.html(directory, before, "mds-context"))
                        .select("[data-absent=trace]")
                        .text())
                .endsWith(
                        "of the stall that matters, which is too little to tell what ran in it: it begins after the stall did.");
    }

    @Test
    void shouldSayThatTheThreadIsNotInTheTrace() throws IOException {
        write(SECOND + 70 * MS);
        Document page = Jsoup.parse(TraceView.html(directory, new Interval(SECOND, SECOND + MS), "other"));
        assertThat(page.select("[data-absent=trace]").text()).isEqualTo("The trace does not show the thread other.");
    }

    @Test
    void shouldHaveNoSectionWithoutATrace() {
        assertThat(TraceView.html(directory, null, "")).isEmpty();
    }

    private void write(long stoppedNs) throws IOException {
        write(stoppedNs, TRACE);
    }

    private void write(long stoppedNs, String trace) throws IOException {
        write(stoppedNs, trace, new TraceSummary.Sources(List.of(), List.of(), List.of()));
    }

    private void write(long stoppedNs, String trace, TraceSummary.Sources sources) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(TraceFile.NAME)))) {
            out.write(trace.getBytes(StandardCharsets.UTF_8));
        }
        Json.write(
                directory.resolve(TraceSummary.NAME),
                new TraceSummary(
                        new TraceSummary.Trigger("STALL", "mds", "mds-context"),
                        new TraceSummary.Times(SECOND, stoppedNs - 85_000, stoppedNs, 85),
                        4_096,
                        List.of(new TraceSummary.Cpu(1, 7, 1_000, 2, SECOND)),
                        sources));
    }
}
