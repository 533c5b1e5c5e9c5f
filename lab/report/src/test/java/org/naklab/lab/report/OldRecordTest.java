package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.FaultStackRecord;
import org.naklab.lab.records.RunRecord;

/** A record of an older version keeps all of its keys; those that it lacks are null or empty. */
final class OldRecordTest {
    @TempDir
    private Path directory;

    @Test
    void shouldKeepWhatAnOlderVersionWrote() throws Exception {
        Path run = FixtureRun.copyTo(directory);

        shouldKeep(run.resolve(RunRecord.NAME), RunRecord.class);
        shouldKeep(run.resolve(DiagnosisRecord.NAME), DiagnosisRecord.class);
        shouldKeep(run.resolve(FaultStackRecord.NAME), FaultStackRecord[].class);
    }

    private static void shouldKeep(Path file, Class<?> type) throws IOException {
        JsonNode written = Json.read(file, JsonNode.class);

        JsonNode again = Json.parse(Json.line(Json.read(file, type)));
        removeAbsent(again, written);

        assertThat(again).isEqualTo(written);
    }

    private static void removeAbsent(JsonNode from, JsonNode original) {
        if (from instanceof ObjectNode object) {
            object.properties().removeIf(each -> !original.has(each.getKey()) && isNothing(each.getValue()));
        }
        Iterator<JsonNode> others = original.iterator();
        if (from.isArray()) {
            from.forEach(each -> removeAbsent(each, others.next()));
        } else {
            from.properties().forEach(each -> removeAbsent(each.getValue(), original.path(each.getKey())));
        }
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || (value.isContainerNode() && value.isEmpty());
    }
}
