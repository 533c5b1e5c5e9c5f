package org.naklab.lab.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;

/** Tells which scenarios can run here, as this user. */
final class ScenarioCheck {
    private static final String NAME = "scenarios";

    private ScenarioCheck() {}

    static CheckResult examine() {
        Map<String, String> obstacles = new LinkedHashMap<>();
        for (Scenario scenario : Scenarios.all()) {
            scenario.obstacle().ifPresent(why -> obstacles.put(scenario.name(), why));
        }
        int all = Scenarios.all().size();
        return CheckResult.of(
                NAME,
                obstacles.isEmpty(),
                obstacles.isEmpty()
                        ? "all " + all + " can run as " + System.getProperty("user.name")
                        : "not " + String.join(", ", obstacles.keySet()),
                obstacles.values().stream().distinct().collect(Collectors.joining("; ")));
    }
}
