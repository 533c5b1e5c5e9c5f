package org.naklab.lab.scenarios;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Copies records with one component changed, so that a test need not name the others, nor know of those that are to come. */
final class Records {
    private Records() {}

    /**
     * Changes a component, or one of a component that is a record, which stand beside the others in the file.
     *
     * @throws IllegalArgumentException the record has no such component
     */
    static <T extends Record> T with(T record, String component, @Nullable Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        int found = indexOf(components, component);
        if (found >= 0) {
            return copy(record, found, value);
        }
        for (int i = 0; i < components.length; i++) {
            if (read(record, i) instanceof Record part && hasPart(part.getClass(), component)) {
                return copy(record, i, with(part, component, value));
            }
        }
        throw new IllegalArgumentException(record.getClass() + " has no " + component);
    }

    private static boolean hasPart(Class<?> type, String component) {
        return type.isRecord()
                && (indexOf(type.getRecordComponents(), component) >= 0
                        || Arrays.stream(type.getRecordComponents())
                                .anyMatch(part -> hasPart(part.getType(), component)));
    }

    private static int indexOf(RecordComponent[] components, String name) {
        return IntStream.range(0, components.length)
                .filter(i -> components[i].getName().equals(name))
                .findFirst()
                .orElse(-1);
    }

    private static @Nullable Object read(Record record, int index) {
        try {
            Method accessor = record.getClass().getRecordComponents()[index].getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + record, e);
        }
    }

    private static <T extends Record> T copy(T record, int index, @Nullable Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = i == index ? value : read(record, i);
        }
        try {
            @SuppressWarnings("unchecked")
            Constructor<T> canonical = (Constructor<T>) record.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new));
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot copy " + record, e);
        }
    }
}
