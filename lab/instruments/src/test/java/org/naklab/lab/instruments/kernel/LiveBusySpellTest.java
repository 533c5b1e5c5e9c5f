package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Compares recorded busy times with what the busy threads have measured. */
@Matrix
@Timeout(120)
class LiveBusySpellTest extends VictimRecording {
    /** Nobody asks for its user stack. */
    private static final RecorderSettings OTHERS = RecorderSettings.DEFAULT.ofThreads(List.of("nobody"));

    @Test
    void shouldRecordAThreadThatRuns() throws Exception {
        try (Victim victim = Victim.start(program, "busy");
                KernelRecorder recorder = record(OTHERS, victim)) {
            victim.go();
            Interval span = victim.span();
            BusySpell spell = spellIn(recorder, span, "worker");

            assertThat(spell.cpuNs()).isPositive();
            long partsNs = spell.cpuNs() + spell.runnableNs() + spell.faultNs();
            assertThat(partsNs).isLessThanOrEqualTo(lengthNs(spell)).isGreaterThan((long) (SHARE * span.lengthNs()));
            assertThat(spell.faultNs()).isLessThan(span.lengthNs() / 2);
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldRecordAThreadWithoutProcessor() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        try (Victim victim = Victim.start(program, "spin", Integer.toString(processor));
                KernelRecorder recorder = record(OTHERS, victim)) {
            victim.go();
            Interval gap = victim.span();
            BusySpell spell = spellIn(recorder, gap, "victim");

            assertThat(spell.runnableNs()).isGreaterThan((long) (SHARE * gap.lengthNs()));
            assertThat(spell.cpuNs() + spell.runnableNs() + spell.faultNs()).isLessThanOrEqualTo(lengthNs(spell));
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldNotTakeAThreadThatSleepsForBusy() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(OTHERS, victim)) {
            victim.go();
            Interval span = victim.span();
            end(recorder);

            assertThat(log.of(BusySpell.class))
                    .noneMatch(spell -> span.coveredBy(List.of(intervalOf(spell))) > 1 - SHARE);
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** The thread is asleep again before anyone has read what it measured, or soon after. */
    private BusySpell spellIn(KernelRecorder recorder, Interval span, String comm) {
        Await.until("the end of the busy time", () -> spells(span, comm).size() > 0);
        end(recorder);
        return spells(span, comm).stream()
                .max(Comparator.comparingLong(LiveBusySpellTest::lengthNs))
                .orElseThrow();
    }

    private List<BusySpell> spells(Interval span, String comm) {
        return log.of(BusySpell.class).stream()
                .filter(spell -> spell.task().comm().equals(comm))
                .filter(spell -> spell.beginNs() <= span.beginNs() && spell.endNs() >= span.endNs())
                .toList();
    }

    private static Interval intervalOf(BusySpell spell) {
        return new Interval(spell.beginNs(), spell.endNs());
    }

    private static long lengthNs(BusySpell spell) {
        return spell.endNs() - spell.beginNs();
    }
}
