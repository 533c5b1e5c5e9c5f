package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
final class LiveRunTest {
    private static final Disturbance CALM = new Disturbance(0, 0, 0, 0);
    private static final Disturbance DISTURBED = new Disturbance(0.5, 0, 0, 0);

    private final Deque<Disturbance> machine = new ArrayDeque<>();
    private final List<String> lines = new ArrayList<>();
    private int runs;

    @TempDir
    private Path directory;

    @Test
    void shouldMakeARunAgainWhileTheMachineIsDisturbed() throws IOException {
        machine.addAll(List.of(DISTURBED, CALM));
        assertThat(make("first")).isEqualTo(2);
        assertThat(lines).singleElement().asString().contains("disturbed during run 1: 50.0 % stolen");
        assertThat(ledger()).hasSize(3).anyMatch(line -> line.startsWith("first,1,again,"));
    }

    @Test
    void shouldMakeAtMostThreeRunsAndReturnTheLast() throws IOException {
        machine.addAll(List.of(DISTURBED, DISTURBED, DISTURBED));
        assertThat(make("first")).isEqualTo(3);
    }

    @Test
    void shouldNotRepeatWhatFailsOnACalmMachine() {
        machine.add(CALM);
        assertThatThrownBy(() -> live("build").attempt("first", this::fail)).isInstanceOf(IOException.class);
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void shouldNotRepeatWhatFailsOnADisturbedMachine() {
        machine.add(DISTURBED);
        assertThatThrownBy(() -> live("build").attempt("first", this::fail)).isInstanceOf(IOException.class);
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void shouldJudgeARunAsItIsWhenTooManyOfTheBuildWereMadeAgain() throws IOException {
        machine.addAll(List.of(DISTURBED, DISTURBED, CALM, DISTURBED, CALM, DISTURBED));
        make("first");
        make("second");
        assertThat(make("third")).as("number of the run that is judged").isEqualTo(6);
        assertThat(machine).isEmpty();
        assertThat(lines).last().asString().contains("this one is judged");
    }

    @Test
    void shouldAllowATenthOfManyRuns() throws IOException {
        for (int i = 0; i < 36; i++) {
            machine.add(CALM);
            make("calm");
        }
        machine.addAll(List.of(DISTURBED, DISTURBED, CALM, DISTURBED, DISTURBED, CALM));
        make("first");
        make("second");
        assertThat(runs).isEqualTo(42);
    }

    @Test
    void shouldBeginAnewForAnotherBuild() throws IOException {
        machine.addAll(List.of(CALM, CALM));
        live("build").attempt("first", () -> 1);
        live("another").attempt("second", () -> 1);
        assertThat(ledger()).first().isEqualTo("another");
        assertThat(ledger()).hasSize(2);
    }

    private int make(String test) throws IOException {
        return live("build").attempt(test, () -> ++runs);
    }

    private int fail() throws IOException {
        runs++;
        throw new IOException("failed");
    }

    private LiveRun live(String build) {
        return new LiveRun(
                new LiveRunLedger(new BuildLedger(directory.resolve("runs.csv"), build)),
                () -> machine::removeFirst,
                lines::add);
    }

    private List<String> ledger() throws IOException {
        return Files.readAllLines(directory.resolve("runs.csv"));
    }
}
