package org.naklab.lab.records;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Fills in what a file lacks: an older version's, or one of a run that came to no end. */
final class Absent {
    private static final String UNKNOWN = "unknown";

    private Absent() {}

    static String orUnknown(@Nullable String text) {
        return text == null ? UNKNOWN : text;
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /**
     * Keeps the order of the entries.
     *
     * @throws NullPointerException an entry has no value
     */
    static <T> Map<String, T> orNone(@Nullable Map<String, T> map) {
        if (map == null) {
            return Map.of();
        }
        map.values().forEach(Objects::requireNonNull);
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
