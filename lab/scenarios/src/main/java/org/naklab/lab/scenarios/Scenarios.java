package org.naklab.lab.scenarios;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the scenarios on the class path: a scenario is a class with {@code @AutoService(Scenario.class)}, and nothing else. */
public final class Scenarios {
    private Scenarios() {}

    /** Returns all scenarios, sorted by name. */
    public static List<Scenario> all() {
        return ServiceLoader.load(Scenario.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Scenario::name))
                .toList();
    }

    /** Returns the scenario of that name, if there is one. */
    public static Optional<Scenario> find(String name) {
        return all().stream().filter(scenario -> scenario.name().equals(name)).findFirst();
    }
}
