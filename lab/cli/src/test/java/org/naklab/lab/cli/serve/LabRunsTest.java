package org.naklab.lab.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.cli.run.StallOptions;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.instructor.FaultChoice;
import org.naklab.lab.report.instructor.RunState.Phase;
import org.naklab.lab.report.instructor.RunWish;
import org.naklab.lab.report.instructor.ScenarioChoice;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveStage;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.terminal.Terminal;

/** What a page may ask for; nothing is started here. */
@Timeout(60)
final class LabRunsTest {
    @TempDir
    private Path directory;

    private LabRuns runs() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new LabRuns(Terminal.of(nowhere, nowhere), directory, new LiveStage(LiveFeed.ofNothing()));
    }

    /** A value is one word of the command line, and no file is read. */
    @ParameterizedTest
    @CsvSource({
        "moonlight, simulated, none",
        "--help, simulated, none",
        "--runs=/tmp, simulated, none",
        "@/etc/hostname, simulated, none",
        "mystery, @/etc/hostname, none",
        "mystery, moonlight, none",
        "mystery, simulated, none --runs=/tmp",
        "mystery, simulated, all of them"
    })
    void shouldRefuseWhatTheCommandLineWouldRefuse(String scenario, String fidelity, String remedy) {
        try (LabRuns runs = runs()) {
            RunWish wish = new RunWish(scenario, fidelity, remedy, null, null, null, null, null);
            assertThatThrownBy(() -> runs.start(wish)).isInstanceOf(UsageException.class);
            assertThat(runs.state().phase()).isEqualTo(Phase.NONE);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 2_001, 1L << 40})
    void shouldRefuseANumberOfCustomersThatTheCommandLineWouldRefuse(long clients) {
        try (LabRuns runs = runs()) {
            RunWish wish = new RunWish("baseline", null, null, null, null, null, clients, null);
            assertThatThrownBy(() -> runs.start(wish))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("--clients");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldDoNothingToARunThatThereIsNot() {
        try (LabRuns runs = runs()) {
            assertThatThrownBy(runs::stop).isInstanceOf(InputException.class);
            assertThatThrownBy(runs::reveal).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> runs.inject("datagram-loss")).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> runs.remove(1)).isInstanceOf(InputException.class);
            assertThat(runs.changes()).isZero();
        }
    }

    /** The first one is what the page starts unless another is chosen. */
    @Test
    void shouldOfferTheFidelitiesInTheOrderOfTheCommandLine() {
        try (LabRuns runs = runs()) {
            assertThat(runs.scenarios()).allSatisfy(each -> assertThat(each.fidelities())
                    .as(each.name())
                    .isEqualTo(StallOptions.possible(Scenarios.find(each.name()).orElseThrow(), directory).stream()
                            .map(Fidelity::label)
                            .toList()));
        }
    }

    @Test
    void shouldOfferTheScenariosAndTheFaultsOfTheCommandLine() {
        try (LabRuns runs = runs()) {
            assertThat(runs.scenarios())
                    .extracting(ScenarioChoice::name)
                    .contains("mystery", "baseline", "slow-callback");
            assertThat(runs.faults())
                    .extracting(FaultChoice::kind)
                    .contains("datagram-loss", "process-pause")
                    .doesNotContain("network-loss");
        }
    }
}
