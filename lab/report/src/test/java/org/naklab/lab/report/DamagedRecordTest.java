package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.DiagnosedStalls;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.latency.LatencyFile;
import org.naklab.lab.runs.history.HistoryException;
import org.naklab.lab.runs.history.RunFileReader;

/** Whatever stands in the place of a value, the run is told of, or its files are refused. */
final class DamagedRecordTest {
    private static final List<String> VALUES = List.of(
            "null", "\"x\"", "-1", "1.5", "1e400", "99999999999999999999", "true", "[]", "[null]", "[[]]", "{}");

    @TempDir
    private Path directory;

    @Test
    void shouldTellOrRefuseWhateverStandsInAValuesPlace() throws Exception {
        FixtureRun.copyTo(directory);
        JsonNode run = Json.read(directory.resolve(RunRecord.NAME), JsonNode.class);
        JsonNode diagnosis = Json.read(directory.resolve(DiagnosisRecord.NAME), JsonNode.class);
        int told = 0;
        for (String value : VALUES) {
            JsonNode damage = Json.parse(value);
            for (JsonNode damaged : damagedCopies(run, damage)) {
                told += tells(damaged, diagnosis);
            }
            for (JsonNode damaged : damagedCopies(diagnosis, damage)) {
                told += tells(run, damaged);
            }
        }
        assertThat(told).isPositive();
    }

    private int tells(JsonNode run, JsonNode diagnosis) {
        byte[] runBytes = Json.line(run).getBytes(StandardCharsets.UTF_8);
        byte[] diagnosisBytes = Json.line(diagnosis).getBytes(StandardCharsets.UTF_8);
        try {
            RunFileReader.of(directory, runBytes, diagnosisBytes);
        } catch (HistoryException refused) {
            return 0;
        }
        RunFiles files = new RunFiles(
                directory,
                Json.value(run, RunRecord.class),
                Optional.of(Json.value(diagnosis, DiagnosisRecord.class)),
                Json.value(diagnosis, DiagnosedStalls.class),
                List.of(),
                Samples.NONE,
                new RunFiles.Further(List.of(), new LatencyFile(List.of()), List.of()));
        TimeAxis axis = TimeAxis.of(files);
        assertThat(RunSummary.tell(files, axis)).isNotEmpty();
        Tables tables = new Tables(files, axis);
        Waterfall waterfall = new Waterfall(files, axis);
        waterfall.rows();
        waterfall.bars();
        waterfall.marks();
        Suspects suspects = new Suspects(files);
        suspects.left();
        suspects.ruledOut();
        Charts.of(files, axis);
        assertThat(files.keyFigures().all()).isNotEmpty();
        tables.evidence();
        tables.noted();
        tables.conditions();
        tables.doubt();
        tables.environment();
        tables.settings();
        Instruments.of(files.run().reported().instruments());
        return tables.replay().isEmpty() ? 0 : 1;
    }

    /** A copy for each value of a document, with something else in its place; of an array's elements, the first. */
    private static List<JsonNode> damagedCopies(JsonNode document, JsonNode damage) {
        List<JsonNode> copies = new ArrayList<>();
        for (String pointer : pointers(document, "")) {
            JsonNode copy = document.deepCopy();
            int cut = pointer.lastIndexOf('/');
            JsonNode parent = copy.at(pointer.substring(0, cut));
            if (parent instanceof ObjectNode object) {
                object.set(pointer.substring(cut + 1), damage);
            } else if (parent instanceof ArrayNode array) {
                array.set(0, damage);
            }
            copies.add(copy);
        }
        return copies;
    }

    private static List<String> pointers(JsonNode node, String path) {
        List<String> pointers = new ArrayList<>();
        if (node.isArray() && !node.isEmpty()) {
            pointers.add(path + "/0");
            pointers.addAll(pointers(Objects.requireNonNull(node.get(0)), path + "/0"));
        }
        node.properties().forEach(each -> {
            pointers.add(path + "/" + each.getKey());
            pointers.addAll(pointers(each.getValue(), path + "/" + each.getKey()));
        });
        return pointers;
    }
}
