package org.naklab.lab.containers.faults;

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

/** The second half of the kill matrix: the clients of the engine or the container's process are killed at each moment, and nothing stays. */
@Contained
@ExtendWith(ContainerEngine.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class EngineKillMatrixScenario {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheEnginesClientsAreKilled(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            matrix.lab().killClients();
            if (matrix.isArmed()) {
                matrix.lab().disarm();
            } else {
                matrix.assertEveryFaultReports("refused");
            }
            matrix.container().assertAsBefore();
            matrix.lab().end();
            matrix.assertNothingLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenTheContainersProcessIsKilled(KillMatrix.Moment moment) throws IOException {
        try (KillMatrix matrix = new KillMatrix(directory, moment)) {
            matrix.container().kill();
            matrix.lab().releaseClients();
            if (!matrix.isArmed()) {
                matrix.assertEveryFaultReports("");
            }
            matrix.lab().disarm();
            matrix.lab().end();
            matrix.container().start();
            matrix.assertNothingLeft();
        }
    }
}
