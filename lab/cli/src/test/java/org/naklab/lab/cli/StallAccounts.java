package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;

/** What is true of the account of each stall, whatever the scenario. */
final class StallAccounts {
    private static final int DEPTH = 6;
    private static final double TOLERANCE = 0.01;
    /** Parts under 1 µs are left out, and lengths are rounded. */
    private static final double ROUNDED_MS = 0.05;

    private StallAccounts() {}

    /**
     * Asserts, for all runs and windows below a directory, that the parts of each stall, with what is unexplained, are as long as the stall, in
     * {@code run.json} and in {@code diagnosis.json}. Runs of earlier versions have no accounts.
     *
     * @throws AssertionError an account is longer or shorter than its stall by more than 1 %
     */
    static void assertComplete(Path directory) {
        try (Stream<Path> files = Files.walk(directory, DEPTH)) {
            List<Path> records = files.filter(
                            file -> file.endsWith(RunRecord.NAME) || file.endsWith(DiagnosisRecord.NAME))
                    .toList();
            for (Path file : records) {
                JsonNode document = Json.parse(Files.readAllBytes(file));
                Stream.concat(elements(document.path("stalls")), Stream.of(document.path("stall")))
                        .filter(stall -> stall.has("account"))
                        .forEach(stall -> assertComplete(file, stall));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static void assertComplete(Path file, JsonNode stall) {
        double sumMs = 0;
        for (JsonNode entry : stall.path("account")) {
            assertThat(entry.path("ms").asDouble()).isPositive();
            sumMs += entry.path("ms").asDouble();
        }
        double lengthMs = stall.path("durationMs").asDouble();
        assertThat(sumMs)
                .as("the account of %s in %s", stall, file)
                .isCloseTo(lengthMs, offset(Math.max(ROUNDED_MS, TOLERANCE * lengthMs)));
    }
}
