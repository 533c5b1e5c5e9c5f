package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.testing.ContainerEngine;

/**
 * Every fault in one container at once, and one of those that take part is killed: before the engine has the commands, when it has done
 * them and nobody knows yet, and when the faults are armed. Nothing of them stays.
 */
@ExtendWith(ContainerEngine.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class KillMatrixScenario {
    /** When something is killed. */
    enum Moment {
        BEFORE("before"),
        DURING("after"),
        AFTER("never");

        private final String stop;

        Moment(String stop) {
            this.stop = stop;
        }
    }

    @TempDir
    Path directory;

    private StruckContainer container;

    @BeforeEach
    void create() {
        container = new StruckContainer();
    }

    @AfterEach
    void remove() {
        container.close();
    }

    private LabProcess lab(Moment moment) throws IOException {
        LabProcess lab = new LabProcess(Files.createTempDirectory(directory, "lab"), container.name(), moment.stop);
        try {
            awaitMoment(lab, moment);
            return lab;
        } catch (IOException | RuntimeException | Error e) {
            lab.close();
            throw e;
        }
    }

    private void awaitMoment(LabProcess lab, Moment moment) throws IOException {
        if (moment == Moment.AFTER) {
            assertThat(lab.hear(LabProcess.FAULTS.size())).allMatch(line -> line.startsWith("armed"));
            assertThat(container.isPaused()).isTrue();
        } else {
            lab.awaitStoppedClients();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheLabIsKilled(Moment moment) throws IOException {
        try (LabProcess lab = lab(moment)) {
            lab.kill();
            lab.releaseClients();
            assertNothingLeft(lab);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheGuardIsKilledAndThenTheLab(Moment moment) throws IOException {
        try (LabProcess lab = lab(moment)) {
            lab.killGuard();
            lab.awaitGuard();
            lab.kill();
            lab.releaseClients();
            assertNothingLeft(lab);
        }
    }

    /** Nobody is there to undo anything, until a lab is started again. */
    @ParameterizedTest
    @EnumSource
    void shouldUndoAtTheNextStartWhenLabAndGuardAreKilledAtOnce(Moment moment) throws IOException {
        try (LabProcess lab = lab(moment)) {
            lab.stop();
            lab.killGuard();
            lab.kill();
            lab.releaseClients();
            lab.awaitNoProcess();
            assertThat(container.isPaused()).as("nobody has undone it").isTrue();

            assertThat(lab.undoAtNextStart()).isNotEmpty().allMatch(line -> line.startsWith("undone"));
            assertNothingLeft(lab);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheEnginesClientsAreKilled(Moment moment) throws IOException {
        try (LabProcess lab = lab(moment)) {
            lab.killClients();
            if (moment == Moment.AFTER) {
                lab.disarm();
            } else {
                assertThat(lab.hear(LabProcess.FAULTS.size())).allMatch(line -> line.startsWith("refused"));
            }
            container.assertAsBefore();
            lab.end();
            assertNothingLeft(lab);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheContainersProcessIsKilled(Moment moment) throws IOException {
        try (LabProcess lab = lab(moment)) {
            container.kill();
            lab.releaseClients();
            if (moment != Moment.AFTER) {
                assertThat(lab.hear(LabProcess.FAULTS.size())).hasSize(LabProcess.FAULTS.size());
            }
            lab.disarm();
            lab.end();
            container.start();
            assertNothingLeft(lab);
        }
    }

    private void assertNothingLeft(LabProcess lab) throws IOException {
        lab.awaitNoProcess();
        container.assertAsBefore();
        assertThat(StruckContainer.toolsOf(lab.identity()))
                .as("tool containers")
                .isEmpty();
        assertThat(lab.files()).as(lab::ledgers).isEmpty();
    }
}
