package org.naklab.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;

/**
 * Refuses misspelt names at every depth of a plan. Jackson calls the constructor of a nested record before it looks at the names that are
 * left over, so that its message would be about what is missing.
 */
final class Fields {
    private Fields() {}

    /**
     * Checks the names in a tree that will be read as a record.
     *
     * @param where what the tree is, for the message
     * @param noun what its names are, for the message
     * @throws FaultException naming the first name that is unknown, and the one that may have been meant
     */
    static void check(JsonNode tree, Class<?> type, String where, String noun) {
        if (!tree.isObject()) {
            return;
        }
        List<RecordComponent> components = Arrays.asList(type.getRecordComponents());
        for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            RecordComponent component = components.stream()
                    .filter(each -> each.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new FaultException(where + " has no " + noun + " '" + name + "'"
                            + Spelling.hint(
                                    name,
                                    components.stream()
                                            .map(RecordComponent::getName)
                                            .toList())));
            Class<?> nested = recordOf(component);
            if (nested != null) {
                elements(tree.path(name)).forEach(element -> check(element, nested, name, noun));
            }
        }
    }

    /** Returns the record of a component, or of the elements of a list; {@code null}: neither. */
    private static @Nullable Class<?> recordOf(RecordComponent component) {
        Type type = component.getGenericType();
        if (type instanceof ParameterizedType list && list.getActualTypeArguments().length == 1) {
            type = list.getActualTypeArguments()[0];
        }
        return type instanceof Class<?> known && known.isRecord() ? known : null;
    }

    private static List<JsonNode> elements(JsonNode value) {
        if (!value.isArray()) {
            return List.of(value);
        }
        List<JsonNode> elements = new ArrayList<>();
        value.forEach(elements::add);
        return elements;
    }
}
