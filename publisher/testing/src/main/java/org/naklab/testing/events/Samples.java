package org.naklab.testing.events;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Completes the details that a test gives of an event: what it does not mention is 0, false or empty. */
public final class Samples {
    private Samples() {}

    /**
     * Returns the details with a value for each component that must have one.
     *
     * @param form record of the event; null: it has any details
     * @throws IllegalArgumentException the record has no such detail
     */
    public static Map<String, Object> whole(@Nullable Class<?> form, Map<String, ?> given) {
        Map<String, Object> whole = part(form, given);
        TreeSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(whole.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(form + " has no " + unknown);
        }
        return whole;
    }

    /** Returns the same without the details that the record does not have. */
    public static Map<String, Object> part(@Nullable Class<?> form, Map<String, ?> given) {
        Map<String, Object> whole = new TreeMap<>();
        if (form == null) {
            whole.putAll(given);
        } else {
            complete(form, given, whole);
        }
        return whole;
    }

    private static void complete(Class<?> record, Map<String, ?> given, Map<String, Object> whole) {
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            boolean isOptional = has(component.getAnnotatedType(), "Nullable").isPresent()
                    || has(component.getAccessor(), "JsonInclude").isPresent();
            String key = keyOf(component);
            if (type.isRecord() && !type.getSimpleName().equals("Interval")) {
                Map<String, Object> group = new TreeMap<>();
                complete(type, given, group);
                if (!isOptional || group.keySet().stream().anyMatch(given::containsKey)) {
                    whole.putAll(group);
                }
            } else if (given.containsKey(key)) {
                whole.put(key, given.get(key));
            } else if (!isOptional
                    && !List.of("timeNs", "type", "process", "thread").contains(key)) {
                whole.put(key, empty(type));
            }
        }
    }

    private static Object empty(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == double.class) {
            return 0.0;
        }
        return type.isPrimitive() || type.isRecord() ? (Object) 0L : "";
    }

    private static String keyOf(RecordComponent component) {
        String name = component.getName();
        if (component.getType().getSimpleName().equals("Interval")) {
            return "durationNs";
        }
        Optional<String> told = has(component.getAccessor(), "JsonProperty").map(Samples::value);
        boolean isTruth =
                name.startsWith("is") && (component.getType() == boolean.class || component.getType() == Boolean.class);
        return told.orElse(isTruth ? name.substring(2, 3).toLowerCase(Locale.ROOT) + name.substring(3) : name);
    }

    private static Optional<Annotation> has(AnnotatedElement element, String annotation) {
        return List.of(element.getAnnotations()).stream()
                .filter(each -> each.annotationType().getSimpleName().equals(annotation))
                .findFirst();
    }

    private static String value(Annotation annotation) {
        try {
            return String.valueOf(annotation.annotationType().getMethod("value").invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
