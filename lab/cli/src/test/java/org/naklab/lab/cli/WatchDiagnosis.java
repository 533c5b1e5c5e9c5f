package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.lab.core.Json;

/** What a watch has written into a directory, with what is required of it. */
final class WatchDiagnosis {
    private final Path window;
    private final JsonNode diagnosis;

    private WatchDiagnosis(Path window, JsonNode diagnosis) {
        this.window = window;
        this.diagnosis = diagnosis;
    }

    /** Reads what was written, and requires that its own evidence gives the same again. */
    static WatchDiagnosis of(Path window) throws IOException {
        StallAccounts.assertComplete(window);
        ReplayedCase.assertSame(window);
        return new WatchDiagnosis(window, Json.parse(Files.readAllBytes(window.resolve("diagnosis.json"))));
    }

    /** Returns the length of the longest stall in a window that was written, in ms; 0 if there is none. */
    static double longestStallMs(Path window) {
        try {
            return Json.parse(Files.readAllBytes(window.resolve("diagnosis.json")))
                    .path("stalls")
                    .findValues("durationMs")
                    .stream()
                    .mapToDouble(JsonNode::asDouble)
                    .max()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Requires that this is the cause, and that it was found in the account of the stall that matters.
     *
     * @param thread a regular expression
     */
    WatchDiagnosis hasCause(String cause, String thread, String kind) {
        assertThat(diagnosis.path("cause").asText()).as(text()).isEqualTo(cause);
        assertThat(diagnosis.path("confidence").asText()).as(text()).isIn("certain", "likely");
        JsonNode stall = diagnosis.path("stall");
        assertThat(stall.path("thread").asText()).as(text()).matches(thread);
        assertThat(stall.path("cause").asText()).as(text()).isEqualTo(cause);
        assertThat(stall.at("/account/0/kind").asText()).as(text()).isEqualTo(kind);
        return this;
    }

    /** Requires that each stall has an account; that its parts add up was checked when it was read. */
    WatchDiagnosis hasAccounts() {
        assertThat(diagnosis.path("stalls")).as(text()).isNotEmpty().allMatch(stall -> !stall.path("account")
                .isEmpty());
        return this;
    }

    /** Has {@code naklab report} render it, and requires that the report says so. */
    void isReported(Path directory, String... texts) throws IOException {
        try (NaklabProcess report =
                NaklabProcess.command(Files.createTempDirectory(directory, "report"), "report", window.toString())) {
            assertThat(report.outcome().exitCode()).isZero();
        }
        assertThat(Files.readString(window.resolve("report.html"))).contains(texts);
    }

    private String text() {
        return diagnosis.toPrettyString();
    }
}
