package org.naklab.lab.containers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The kinds of faults in containers on the class path. */
public final class ContainerFaultKinds {
    private ContainerFaultKinds() {}

    /** Returns all kinds, sorted by name. */
    public static List<ContainerFaultKind> all() {
        return ServiceLoader.load(ContainerFaultKind.class, ContainerFaultKind.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(ContainerFaultKind::name))
                .toList();
    }

    /** Returns the kind of that name, if there is one. */
    public static Optional<ContainerFaultKind> find(String name) {
        return all().stream().filter(kind -> kind.name().equals(name)).findFirst();
    }
}
