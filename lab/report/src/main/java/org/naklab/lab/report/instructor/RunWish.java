package org.naklab.lab.report.instructor;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run that an instructor asks for. What is {@code null} has the value of {@code naklab run}.
 *
 * @param fidelity and {@code remedy} by their words on the command line
 * @param rate events per second
 * @param durationS of the flow, in seconds
 * @param clients customers of the service and of each gateway
 * @param hidden whether the cause stays a secret until it is revealed; {@code null}: it does
 */
public record RunWish(
        String scenario,
        @Nullable String fidelity,
        @Nullable String remedy,
        @Nullable Long rate,
        @Nullable Long seed,
        @Nullable Long durationS,
        @Nullable Long clients,
        @Nullable Boolean hidden) {
    public RunWish {
        Objects.requireNonNull(scenario);
    }

    /** Returns whether the cause stays a secret until it is revealed. */
    public boolean isHidden() {
        return !Boolean.FALSE.equals(hidden);
    }

    /** Returns the options of {@code naklab run} by their names, without hyphens. */
    private Map<String, Object> options() {
        Map<String, Object> options = new LinkedHashMap<>();
        put(options, "fidelity", fidelity);
        put(options, "remedy", remedy);
        put(options, "rate", rate);
        put(options, "seed", seed);
        put(options, "duration", durationS);
        put(options, "clients", clients);
        return options;
    }

    private static void put(Map<String, Object> options, String name, @Nullable Object value) {
        if (value != null && !value.toString().isEmpty()) {
            options.put(name, value);
        }
    }

    /** Returns the words that follow {@code naklab run}. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add(scenario);
        options().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return arguments;
    }

    /** Returns the query of the page that asks for the same run again; it starts nothing by itself. */
    public String query() {
        StringBuilder query = new StringBuilder("?scenario=" + encoded(scenario));
        options()
                .forEach((name, value) ->
                        query.append('&').append(name).append('=').append(encoded(value)));
        return query.append("&hidden=").append(isHidden()).toString();
    }

    private static String encoded(Object value) {
        return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
    }
}
