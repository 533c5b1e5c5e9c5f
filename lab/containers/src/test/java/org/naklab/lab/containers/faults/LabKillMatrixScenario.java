package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.testing.Contained;
import org.naklab.testing.host.ContainerEngine;

/** The first half of the kill matrix: the lab, its guard, or both are killed at each moment, and nothing stays. */
@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LabKillMatrixScenario {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheLabIsKilled(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            matrix.lab().kill();
            matrix.lab().releaseClients();
            matrix.assertNothingLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheGuardIsKilledAndThenTheLab(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            matrix.lab().killGuard();
            matrix.lab().awaitGuard();
            matrix.lab().kill();
            matrix.lab().releaseClients();
            matrix.assertNothingLeft();
        }
    }

    /** The second guard is in no group of the lab and has another parent. */
    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenLabAndGuardAreKilledAtOnce(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            matrix.lab().stop();
            matrix.lab().killGuard();
            matrix.lab().kill();
            matrix.lab().releaseClients();
            matrix.assertNothingLeft();
        }
    }

    /** Nobody is there to undo anything, until a lab is started again. */
    @ParameterizedTest
    @EnumSource
    void shouldUndoAtTheNextStartWhenBothGuardsAreKilledWithTheLab(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            LabProcess lab = matrix.lab();
            lab.stop();
            lab.killSecondGuard();
            lab.killGuard();
            lab.kill();
            lab.releaseClients();
            lab.awaitNoProcess();
            assertThat(matrix.container().isPaused()).as("nobody has undone it").isTrue();

            assertThat(lab.undoAtNextStart()).isNotEmpty().allMatch(line -> line.startsWith("undone"));
            matrix.assertNothingLeft();
        }
    }
}
