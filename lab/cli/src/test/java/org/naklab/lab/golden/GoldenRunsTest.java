package org.naklab.lab.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.report.Report;
import org.naklab.lab.runs.history.HistoryEntry;
import org.naklab.lab.runs.history.RunFileReader;

/** Run directories that earlier versions left; {@code lab/cli/src/test/golden/keep} adds one. */
@Timeout(60)
final class GoldenRunsTest {
    @TempDir
    private Path directory;

    static List<Path> runs() throws IOException, URISyntaxException {
        Path golden = Path.of(Objects.requireNonNull(
                        GoldenRunsTest.class.getResource("/org/naklab/lab/golden/README.md"), "README.md")
                .toURI());
        try (Stream<Path> files = Files.list(golden.resolveSibling(""))) {
            return files.filter(Files::isDirectory)
                    .filter(run -> Files.exists(run.resolve("run.json")))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldHaveRunsOfEachVerdictThatAVersionGave() throws Exception {
        assertThat(runs())
                .extracting(run -> run.getFileName().toString())
                .anyMatch(name -> name.contains("-baseline-pass"))
                .anyMatch(name -> name.contains("-baseline-fail"))
                .anyMatch(name -> name.contains("-mystery-pass"));
    }

    /** By the names of the keys as they were: a reader that has forgotten one finds nothing. */
    @ParameterizedTest
    @MethodSource("runs")
    void shouldBeReadIntoTheHistory(Path golden) throws IOException {
        JsonNode run = new ObjectMapper().readTree(golden.resolve("run.json").toFile());

        HistoryEntry entry = RunFileReader.read(golden);

        assertThat(entry.run().runCase().scenario())
                .isEqualTo(run.get("scenario").asText());
        assertThat(entry.run().runCase().seed()).isEqualTo(run.get("seed").asLong());
        assertThat(entry.run().finding().verdict()).isEqualTo(run.get("verdict").asText());
        assertThat(entry.run().finding().diagnosis())
                .isEqualTo(run.get("diagnosis").asText());
        assertThat(entry.run().startedUtc()).isEqualTo(run.get("startedUtc").asText());
        assertThat(entry.run().figures().traffic().messages())
                .isEqualTo(run.get("messages").get("published").asLong())
                .isPositive();
        assertThat(entry.run().figures().harm().datagramsDropped())
                .isEqualTo(run.get("datagramsDropped").asLong());
        assertThat(entry.run().figures().traffic().serviceNaks()).isNotNull();
        assertThat(entry.stalls()).hasSize(run.get("stalls").size());
    }

    /** Byte for byte: keys, their order and their values are a contract. */
    @ParameterizedTest
    @MethodSource("runs")
    void shouldBeWrittenAgainAsTheyWere(Path golden) throws IOException {
        RunRecord run = Json.read(golden.resolve(RunRecord.NAME), RunRecord.class);
        DiagnosisRecord diagnosis = Json.read(golden.resolve(DiagnosisRecord.NAME), DiagnosisRecord.class);

        assertThat(Json.pretty(run) + "\n").isEqualTo(Files.readString(golden.resolve(RunRecord.NAME)));
        assertThat(Json.pretty(diagnosis) + "\n").isEqualTo(Files.readString(golden.resolve(DiagnosisRecord.NAME)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void shouldBeDrawnInAReport(Path golden) throws IOException {
        JsonNode run = new ObjectMapper().readTree(golden.resolve("run.json").toFile());
        Path report = directory.resolve("report.html");

        Report.write(golden, List.of(), report);

        Document page = Jsoup.parse(report);
        assertThat(page.text())
                .contains(run.get("scenario").asText())
                .containsIgnoringCase(run.get("verdict").asText());
        assertThat(page.select("[data-chart]")).isNotEmpty();
        assertThat(page.select("#run-data").html()).contains("series");
    }
}
