package org.naklab.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Reads strictly: an unknown name is a mistake, not a remark. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private Json() {}

    static <T> T parse(String json, Class<T> type, String what) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw unreadable(what, e);
        }
    }

    static <T> T fromTree(JsonNode tree, Class<T> type, String what) {
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw unreadable(what, e);
        }
    }

    static JsonNode toTree(Object value) {
        return MAPPER.valueToTree(value);
    }

    static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new FaultException("cannot write " + value.getClass().getName() + " as JSON", e);
        }
    }

    private static FaultException unreadable(String what, JsonProcessingException e) {
        if (e.getCause() instanceof FaultException refused) {
            return new FaultException(what + ": " + refused.getMessage(), refused);
        }
        return new FaultException(what + ": " + e.getOriginalMessage(), e);
    }
}
