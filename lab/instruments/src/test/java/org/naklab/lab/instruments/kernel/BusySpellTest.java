package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;

/** Compares recorded busy times, interrupts and samples with what the busy threads have measured. */
@Timeout(60)
class BusySpellTest {
    private static final double SHARE = 0.9;
    private static final long LEAST_NS = 1_000;
    private static final long SAMPLE_NS = 10_000_000;

    /** Nobody asks for its user stack. */
    private static final RecorderSettings OTHERS = RecorderSettings.DEFAULT.ofThreads(List.of("nobody"));

    @Test
    void shouldRecordAThreadThatRuns() throws Exception {
        Recording recording = Recording.of("busy-nobody", OTHERS, "busy");
        BusySpell spell = longest(recording, "worker");

        long partsNs = spell.cpuNs() + spell.runnableNs() + spell.faultNs();
        assertThat(partsNs).isLessThanOrEqualTo(spell.endNs() - spell.beginNs()).isGreaterThan((long)
                (SHARE * recording.span().lengthNs()));
        assertThat(spell.cpuNs()).isGreaterThan(recording.span().lengthNs() / 4);
    }

    @Test
    void shouldRecordAThreadWithoutProcessor() throws Exception {
        Recording recording = Recording.of("spin-nobody", OTHERS, "spin", "1");
        BusySpell spell = longest(recording, "victim");

        assertThat(spell.runnableNs())
                .isGreaterThan((long) (SHARE * recording.span().lengthNs()));
        assertThat(spell.cpuNs() + spell.runnableNs() + spell.faultNs())
                .isLessThanOrEqualTo(spell.endNs() - spell.beginNs());
    }

    private static BusySpell longest(Recording recording, String comm) {
        Interval span = recording.span();
        return recording.of(BusySpell.class).stream()
                .filter(spell -> spell.task().comm().equals(comm))
                .filter(spell -> spell.beginNs() <= span.beginNs() && spell.endNs() >= span.endNs())
                .max(Comparator.comparingLong(spell -> spell.endNs() - spell.beginNs()))
                .orElseThrow();
    }

    @Test
    void shouldRecordTheTicksOfAThreadThatRuns() throws Exception {
        Recording recording =
                Recording.of("busy-ticks", RecorderSettings.ofShortTimes(LEAST_NS, List.of("worker")), "busy");
        List<KernelRecord.Interrupt> ticks = recording.of(KernelRecord.Interrupt.class).stream()
                .filter(interrupt -> interrupt.kind() == KernelRecord.InterruptKind.TICK)
                .toList();

        assertThat(ticks).anyMatch(tick -> recording.span().contains(tick.beginNs()));
        assertThat(recording.of(KernelRecord.Interrupt.class)).allSatisfy(interrupt -> {
            assertThat(interrupt.task().comm()).isEqualTo("worker");
            assertThat(Math.max(interrupt.endNs() - interrupt.beginNs(), interrupt.lateNs()))
                    .isGreaterThanOrEqualTo(LEAST_NS);
        });
        assertThat(ticks)
                .as("a thread that is off its processor has no interrupts")
                .noneMatch(tick -> recording.of(Absence.class).stream()
                        .filter(absence -> absence.task().comm().equals("worker"))
                        .anyMatch(absence -> absence.beginNs() < tick.beginNs() && tick.endNs() < absence.endNs()));
    }

    @Test
    void shouldSampleWhatAThreadDoesOnAProcessor() throws Exception {
        RecorderSettings settings =
                RecorderSettings.DEFAULT.withSamples(new RecorderSettings.Sampling(SAMPLE_NS, true));
        Recording recording = Recording.of("busy-samples", settings, "busy");
        List<KernelRecord.Sample> samples = recording.of(KernelRecord.Sample.class).stream()
                .filter(sample -> recording.span().contains(sample.timeNs()))
                .filter(sample -> sample.task().comm().equals("worker"))
                .toList();

        assertThat(samples).hasSizeGreaterThan((int) (recording.span().lengthNs() / SAMPLE_NS / 10));
        assertThat(samples)
                .filteredOn(sample -> sample.userStack().stream()
                        .anyMatch(frame -> frame.symbol().equals("work")))
                .hasSizeGreaterThan(samples.size() / 2);
        assertThat(recording.of(KernelRecord.Shared.class))
                .as("a thread that may run elsewhere shares no processor")
                .isEmpty();
    }

    @Test
    void shouldMeasureManyShortWaitsTogether() throws Exception {
        Recording recording = Recording.of("short", RecorderSettings.DEFAULT, "short");
        Interval span = recording.span();
        List<KernelRecord.ShortWaits> all = recording.of(KernelRecord.ShortWaits.class).stream()
                .filter(waits -> new Interval(waits.beginNs(), waits.endNs()).overlaps(span))
                .toList();
        long waitedNs = all.stream()
                .mapToLong(waits -> (long) ((waits.blockedNs() + waits.runnableNs())
                        * new Interval(waits.beginNs(), waits.endNs()).coveredBy(List.of(span))))
                .sum();
        long absentNs = recording.of(Absence.class).stream()
                .map(absence -> absence.interval(span.endNs()))
                .mapToLong(absence ->
                        absence.intersection(span).map(Interval::lengthNs).orElse(0L))
                .sum();

        assertThat(waitedNs).isBetween(span.lengthNs() / 4, span.lengthNs());
        assertThat(waitedNs + absentNs).isGreaterThan((long) (0.8 * span.lengthNs()));
        assertThat(all).allMatch(waits -> waits.kernelStack().stream().anyMatch(each -> each.contains("nanosleep")));
    }
}
