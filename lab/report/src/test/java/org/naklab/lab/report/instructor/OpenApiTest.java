package org.naklab.lab.report.instructor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.report.dashboard.Dashboard;

/** The description for programs against what the server does. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class OpenApiTest {
    /** A body for each operation that has one. */
    private static final Map<String, String> BODIES = Map.of(
            "startRun", "{\"scenario\": \"mystery\", \"seed\": 7, \"clients\": 3, \"hidden\": true}",
            "injectFault", "{\"fault\": \"datagram-loss\"}");

    /** The order in which each operation succeeds. */
    private static final List<String> ORDER = List.of(
            "listScenarios", "listFaults", "getRun", "startRun", "injectFault", "removeFault", "revealRun", "stopRun");

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final ActedRuns acts = new ActedRuns();

    @TempDir
    private Path directory;

    private InstructorServer server;
    private InstructorClient client;
    private String base;

    @BeforeEach
    void launch() {
        server = InstructorServer.launch(
                "127.0.0.1", 0, List.of(), acts, acts.stage, Dashboard.pages(directory), errors::add);
        client = new InstructorClient(server.port());
        base = server.instructorPath().replace("/live.html", "");
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(errors).isEmpty();
    }

    private record Operation(String method, String path, JsonNode its) {
        String id() {
            return its.path("operationId").asText();
        }
    }

    private static List<Operation> operations(JsonNode document) {
        List<Operation> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> each : path.getValue().properties()) {
                operations.add(new Operation(each.getKey(), path.getKey(), each.getValue()));
            }
        }
        return operations;
    }

    @Test
    void shouldDescribeWhatEachOperationTakesAndGives() throws IOException, InterruptedException {
        JsonNode document = client.json(base + "/api/openapi.json");
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        List<Operation> operations = operations(document);
        assertThat(operations).extracting(Operation::id).containsExactlyInAnyOrderElementsOf(ORDER);
        for (String id : ORDER) {
            Operation operation = operations.stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst()
                    .orElseThrow();
            String body = operation.its().has("requestBody") ? BODIES.get(id) : "";
            assertThat(body).as(id).isNotNull();
            if (!body.isEmpty()) {
                requireSchema(
                        document,
                        operation.its().at("/requestBody/content/application~1json/schema"),
                        Json.parse(body),
                        id);
            }
            String path = base + operation.path().replace("{number}", "1");
            var answer = client.act(operation.method().toUpperCase(java.util.Locale.ROOT), path, body);
            while (answer.statusCode() == 429) {
                answer = client.act(operation.method().toUpperCase(java.util.Locale.ROOT), path, body);
            }
            assertThat(answer.statusCode()).as(id + answer.body()).isEqualTo(200);
            requireSchema(
                    document,
                    operation.its().at("/responses/200/content/application~1json/schema"),
                    Json.parse(answer.body()),
                    id);
        }
    }

    /** Checks the names and kinds of what is there, and that nothing is missing. */
    private static void requireSchema(JsonNode document, JsonNode schema, JsonNode value, String where) {
        JsonNode its =
                schema.has("$ref") ? document.at(schema.path("$ref").asText().substring(1)) : schema;
        String type = its.path("type").asText();
        switch (type) {
            case "array" -> {
                assertThat(value.isArray()).as(where).isTrue();
                value.forEach(each -> requireSchema(document, its.path("items"), each, where + "[]"));
            }
            case "object" -> {
                Set<String> names = new TreeSet<>();
                value.fieldNames().forEachRemaining(names::add);
                Set<String> known = new HashSet<>();
                its.path("properties").fieldNames().forEachRemaining(known::add);
                assertThat(known).as(where).containsAll(names);
                its.path("required").forEach(each -> assertThat(names).as(where).contains(each.asText()));
                names.forEach(name -> requireSchema(
                        document, its.path("properties").path(name), value.path(name), where + "." + name));
            }
            case "string" -> {
                assertThat(value.isTextual()).as(where).isTrue();
                if (its.has("enum")) {
                    assertThat(StreamSupport.stream(its.path("enum").spliterator(), false)
                                    .map(JsonNode::asText))
                            .as(where)
                            .contains(value.asText());
                }
            }
            case "boolean" -> assertThat(value.isBoolean()).as(where).isTrue();
            case "integer" -> assertThat(value.isIntegralNumber()).as(where).isTrue();
            case "number" -> assertThat(value.isNumber()).as(where).isTrue();
            default -> throw new AssertionError(where + " has a type that is not checked: " + type);
        }
    }
}
