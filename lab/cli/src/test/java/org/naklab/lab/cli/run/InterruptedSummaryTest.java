package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.scenarios.soak.Soak;
import org.naklab.lab.terminal.Colour;
import org.naklab.lab.terminal.Terminal;

@Timeout(60)
final class InterruptedSummaryTest {
    @Test
    void shouldSayThatARunWasInterruptedAndNotListWhatItCouldNotShow() {
        assertThat(summary(RunOutcome.INTERRUPTED, false))
                .startsWith("UNKNOWN  soak interrupted after ")
                .endsWith("no verdict; what was recorded is in /runs/soak/x\n")
                .hasLineCount(1);
        assertThat(summary(RunOutcome.INTERRUPTED, true)).contains("run completed");
        assertThat(summary("mds (pid 7) was killed by signal 9", false))
                .contains("UNKNOWN  soak inconclusive", "run completed");
    }

    /** A style is no text: neither is it shown as such, nor does it widen the head. */
    @Test
    void shouldShowTheVerdictInColour() {
        assertThat(summary(RunOutcome.INTERRUPTED, false, Colour.ALWAYS))
                .contains("UNKNOWN")
                .contains("\u001b[1m")
                .doesNotContain("\\x1b")
                .containsPattern("m  soak interrupted after");
    }

    private static String summary(String trouble, boolean isVerbose) {
        return summary(trouble, isVerbose, Colour.NEVER);
    }

    private static String summary(String trouble, boolean isVerbose, Colour colour) {
        RunOutcome outcome = EmptyOutcome.of(RunPlan.draft(new Soak()).at(Path.of("/runs/soak/x"), ""), trouble);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Terminal terminal = Terminal.of(out, out);
        terminal.colour(colour);
        new RunSummaryPrinter(terminal, out, isVerbose)
                .print(new RunResult(outcome, NoLossChecks.check(outcome), Verdict.UNKNOWN, List.of()));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
