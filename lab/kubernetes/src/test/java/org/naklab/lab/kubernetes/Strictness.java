package org.naklab.lab.kubernetes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds keys of a manifest that the published schema does not have: the model, which is generated from the schema, keeps them aside. */
final class Strictness {
    private static final String MODEL = "io.fabric8.kubernetes.api.model";

    private Strictness() {}

    /** Returns the unknown keys, each with the type that does not have it. */
    static List<String> unknownKeys(Object resource) {
        List<String> unknown = new ArrayList<>();
        collect(resource, unknown);
        return unknown;
    }

    private static void collect(@Nullable Object value, List<String> unknown) {
        if (value instanceof Collection<?> list) {
            list.forEach(each -> collect(each, unknown));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(each -> collect(each, unknown));
        } else if (value != null
                && value.getClass().getName().startsWith(MODEL)
                && !value.getClass().isEnum()) {
            for (Method getter : value.getClass().getMethods()) {
                if (getter.getName().equals("getAdditionalProperties")) {
                    ((Map<?, ?>) get(value, getter))
                            .keySet()
                            .forEach(key -> unknown.add(value.getClass().getSimpleName() + "." + key));
                } else if (getter.getName().startsWith("get")
                        && getter.getParameterCount() == 0
                        && getter.getDeclaringClass() != Object.class) {
                    collect(get(value, getter), unknown);
                }
            }
        }
    }

    private static Object get(Object value, Method getter) {
        try {
            return getter.invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new LinkageError(getter.toString(), e);
        }
    }
}
