package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** Runs the sample's tests that pass, which takes a machine that lets a receiver run, and the one that overflows its socket. */
@Matrix
@Timeout(120)
class WatchPassesScenario {
    @TempDir
    Path directory;

    private void assertPasses(String method) throws IOException {
        WatchReceiveScenario.run(method, directory)
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
        try (var left = Files.walk(directory)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void shouldPassAnIdleReceiver() throws IOException {
        assertPasses("isIdle");
    }

    @Test
    void shouldPassAReceiverThatGetsAll() throws IOException {
        assertPasses("receivesAll");
    }

    @Test
    void shouldPassAStallIfOnlyLossesFailTheTest() throws IOException {
        assertPasses("stallsWithoutLoss");
    }

    @Test
    void shouldFailDrops() {
        assertThat(WatchReceiveScenario.failureOf("overflows", directory))
                .containsPattern("Sample#overflows: [\\d,]+ datagrams dropped");
        assertThat(WatchReceiveScenario.evidenceOf("overflows", directory)).isDirectoryContaining("glob:**run.json");
    }
}
