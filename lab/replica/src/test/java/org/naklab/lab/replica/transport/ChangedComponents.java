package org.naklab.lab.replica.transport;

import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Compares two configurations: a copy that changes one component, and mixes up two others, would else be taken for right. */
public final class ChangedComponents {
    private ChangedComponents() {}

    /** Returns the names of the components that differ. */
    public static <R extends Record> Set<String> between(R one, R other) {
        Set<String> names = new TreeSet<>();
        for (RecordComponent component : one.getClass().getRecordComponents()) {
            try {
                Object before = component.getAccessor().invoke(one);
                if (!Objects.equals(before, component.getAccessor().invoke(other))) {
                    names.add(component.getName());
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(component.getName(), e);
            }
        }
        return names;
    }
}
