package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;

/** The keys of {@code case.json} and their order are a contract. */
@Timeout(60)
final class CaseDocumentTest {
    @Test
    void shouldWriteEachRecordedDocumentAsItWasRead() throws IOException {
        List<Path> documents;
        try (Stream<Path> files = Files.walk(Path.of("src/main/cases"))) {
            documents = files.filter(each -> each.endsWith(CaseDocument.NAME)).toList();
        }
        assertThat(documents).hasSizeGreaterThan(100);
        for (Path document : documents) {
            JsonNode read = Json.parse(Files.readAllBytes(document));
            JsonNode written = Json.parse(Json.line(Json.value(read, CaseDocument.class)));

            assertThat(written).as(document.toString()).isEqualTo(read);
            assertThat(keys(written)).as(document.toString()).isEqualTo(keys(read));
            assertThat(keys(written.path("counters").path("receivers").path(0).path("counters")))
                    .isEqualTo(
                            keys(read.path("counters").path("receivers").path(0).path("counters")));
        }
    }

    private static List<String> keys(JsonNode object) {
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        return keys;
    }
}
