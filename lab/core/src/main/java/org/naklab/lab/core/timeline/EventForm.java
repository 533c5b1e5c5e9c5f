package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives a record its form in {@code timeline.jsonl}: each component is the detail of its name, and a truth {@code isX} is the detail {@code x}. The
 * components of a component that is a record stand beside the others; of an interval, the begin is the time of the event, and the length its {@code durationNs}. What is
 * null is left out, and so is a text or a stack that is empty, where {@link JsonInclude} says so.
 */
final class EventForm {
    private static final String LENGTH = "durationNs";
    private static final Set<String> HEAD = Set.of("timeNs", "type", "process", "thread");
    private static final ClassValue<EventForm> FORMS = new ClassValue<>() {
        @Override
        protected EventForm computeValue(Class<?> record) {
            return new EventForm(record);
        }
    };

    private final List<Part> parts;
    private final Constructor<?> constructor;

    /** A component and its key in the file. */
    private record Part(RecordComponent component, String key, boolean isNullable, boolean isOmittedEmpty) {
        private static Part of(RecordComponent component) {
            String name = component.getName();
            JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
            boolean isTruth = name.startsWith("is")
                    && Set.of(boolean.class, Boolean.class).contains(component.getType());
            String key = isTruth ? name.substring(2, 3).toLowerCase(Locale.ROOT) + name.substring(3) : name;
            return new Part(
                    component,
                    given == null ? key : given.value(),
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                    component.getAccessor().isAnnotationPresent(JsonInclude.class));
        }

        private boolean isLeftOut(Object value) {
            return HEAD.contains(key) || (isOmittedEmpty && (value.equals("") || value.equals(List.of())));
        }

        private @Nullable Object whenMissing() {
            if (!isOmittedEmpty) {
                return null;
            }
            return component.getType() == List.class ? List.of() : "";
        }
    }

    private EventForm(Class<?> record) {
        parts = Stream.of(record.getRecordComponents()).map(Part::of).toList();
        try {
            constructor = record.getDeclaredConstructor(
                    parts.stream().map(part -> part.component().getType()).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the details of an event, by key. */
    static Map<String, Object> details(TimelineEvent event) {
        Map<String, Object> details = new TreeMap<>();
        FORMS.get(event.getClass()).write(event, details);
        return details;
    }

    private void write(Object record, Map<String, Object> details) {
        for (Part part : parts) {
            Object value = read(part, record);
            if (value == null || part.isLeftOut(value)) {
                continue;
            }
            if (value instanceof Interval interval) {
                details.put(LENGTH, interval.lengthNs());
            } else if (value instanceof Record group) {
                FORMS.get(group.getClass()).write(group, details);
            } else if (value instanceof List<?> stack) {
                details.put(
                        part.key(),
                        Stacks.join(stack.stream().map(String::valueOf).toList()));
            } else {
                details.put(part.key(), value);
            }
        }
    }

    private static @Nullable Object read(Part part, Object record) {
        try {
            return part.component().getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the event as a record of a kind; null if a figure is missing or has another form. */
    static <E> @Nullable E read(UntypedEvent event, Class<E> kind) {
        return kind.cast(FORMS.get(kind).made(event));
    }

    private @Nullable Object made(UntypedEvent event) {
        Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            Part part = parts.get(i);
            Object value = value(part, event);
            if (value == null && !part.isNullable()) {
                return null;
            }
            values[i] = value;
        }
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object value(Part part, UntypedEvent event) {
        Class<?> type = part.component().getType();
        Object detail = event.detail(part.key());
        return switch (part.key()) {
            case "timeNs" -> event.timeNs();
            case "type" -> event.type();
            case "process" -> event.process();
            case "thread" -> event.thread();
            default -> {
                if (type == Interval.class) {
                    yield event.detail(LENGTH) instanceof Number length
                            ? new Interval(event.timeNs(), event.timeNs() + length.longValue())
                            : null;
                }
                if (type.isRecord()) {
                    yield FORMS.get(type).made(event);
                }
                if (detail == null) {
                    yield part.whenMissing();
                }
                yield detail instanceof Number number ? number(type, number) : other(type, detail);
            }
        };
    }

    private static @Nullable Object number(Class<?> type, Number number) {
        if (type == double.class || type == Double.class) {
            return number.doubleValue();
        }
        if (number.doubleValue() != number.longValue()) {
            return null;
        }
        if (type == int.class || type == Integer.class) {
            return number.intValue();
        }
        return type == long.class || type == Long.class ? (Object) number.longValue() : null;
    }

    private static @Nullable Object other(Class<?> type, Object detail) {
        if (type == List.class) {
            return detail instanceof String stack ? Stacks.split(stack) : null;
        }
        boolean isOfType = type == boolean.class ? detail instanceof Boolean : type.isInstance(detail);
        return isOfType ? detail : null;
    }
}
