package org.naklab.lab.scenarios;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Copies records with one component changed, so that a test need not name the others, nor know of those that are to come. */
final class Records {
    private Records() {}

    /** @throws IllegalArgumentException the record has no such component */
    static <T extends Record> T with(T record, String component, @Nullable Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        boolean isFound = false;
        try {
            for (int i = 0; i < components.length; i++) {
                boolean isIt = components[i].getName().equals(component);
                isFound |= isIt;
                components[i].getAccessor().setAccessible(true);
                values[i] = isIt ? value : components[i].getAccessor().invoke(record);
            }
            if (!isFound) {
                throw new IllegalArgumentException(record.getClass() + " has no " + component);
            }
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
