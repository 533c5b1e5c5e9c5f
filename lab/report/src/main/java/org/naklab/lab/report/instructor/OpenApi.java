package org.naklab.lab.report.instructor;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;

/** Describes the operations in OpenAPI 3.1: the paths from the routes, the schemas from the records that they take and give. */
final class OpenApi {
    private static final String VERSION = "3.1.0";

    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    /** Returns the description, as it is written in JSON. */
    static Map<String, Object> of(List<ApiRoute> routes) {
        OpenApi api = new OpenApi();
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (ApiRoute route : routes) {
            paths.computeIfAbsent("/" + route.address().path(), key -> new LinkedHashMap<>())
                    .put(route.address().method().name().toLowerCase(Locale.ROOT), api.operation(route));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", VERSION);
        document.put(
                "info",
                Map.of(
                        "title", "NAK Lab: runs of an instructor",
                        "version", "1",
                        "description",
                                "Paths are below the address with the token that the command has printed. Acts need the instructor's "
                                        + "token, and the header Origin of the same address."));
        document.put("servers", List.of(Map.of("url", "..")));
        document.put("paths", paths);
        document.put("components", Map.of("schemas", api.schemas));
        return document;
    }

    private Map<String, Object> operation(ApiRoute route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", route.id());
        operation.put("summary", route.summary());
        if (route.address().path().contains(ApiRoute.NUMBER)) {
            operation.put(
                    "parameters",
                    List.of(Map.of(
                            "name", "number", "in", "path", "required", true, "schema", Map.of("type", "integer"))));
        }
        Class<? extends Record> body = route.body();
        if (body != null) {
            operation.put("requestBody", Map.of("required", true, "content", content(reference(body))));
        }
        Map<String, Object> responses = new TreeMap<>();
        Map<String, Object> result = reference(route.result().type());
        responses.put(
                "200",
                Map.of(
                        "description",
                        "Done.",
                        "content",
                        content(route.result().isList() ? Map.of("type", "array", "items", result) : result)));
        if (route.isAct()) {
            responses.put("400", refusal("The body is not what it should be, or there is no such run or fault."));
            responses.put("403", refusal("The token is that of the audience, or a page of another site asks."));
            responses.put("409", refusal("The state of the run does not allow it."));
            responses.put("429", refusal("There were too many acts in this second."));
        }
        operation.put("responses", responses);
        return operation;
    }

    private static Map<String, Object> refusal(String description) {
        return Map.of("description", description, "content", Map.of("text/plain", Map.of()));
    }

    private static Map<String, Object> content(Map<String, Object> schema) {
        return Map.of("application/json", Map.of("schema", schema));
    }

    private Map<String, Object> reference(Class<?> type) {
        String name = type.getSimpleName();
        if (!schemas.containsKey(name)) {
            schemas.put(name, Map.of());
            schemas.put(name, schema(type));
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    private Map<String, Object> schema(Class<?> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            properties.put(component.getName(), type(component));
            if (!isNullable(component)) {
                required.add(component.getName());
            }
        }
        return Map.of("type", "object", "properties", properties, "required", required, "additionalProperties", false);
    }

    private static boolean isNullable(RecordComponent component) {
        return Arrays.stream(component.getAnnotatedType().getAnnotations())
                .anyMatch(each -> each.annotationType().equals(Nullable.class));
    }

    private Map<String, Object> type(RecordComponent component) {
        if (component.getGenericType() instanceof ParameterizedType list) {
            return Map.of("type", "array", "items", type((Class<?>) list.getActualTypeArguments()[0]));
        }
        return type(component.getType());
    }

    private Map<String, Object> type(Class<?> type) {
        if (type.isRecord()) {
            return reference(type);
        }
        if (type.isEnum()) {
            return Map.of(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants())
                            .map(each -> Json.tree(each, com.fasterxml.jackson.databind.JsonNode.class)
                                    .asText())
                            .toList());
        }
        if (type == String.class) {
            return Map.of("type", "string");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        return Map.of("type", type == double.class ? "number" : "integer");
    }
}
