package org.naklab.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Holds the reasons for which a test may be skipped in continuous integration: a reason that contains a line of the list is allowed. */
record AllowedSkips(List<String> reasons) {
    static final AllowedSkips OF_PROJECT = read("allowed-skips.txt");

    private static AllowedSkips read(String resource) {
        try (InputStream in = Objects.requireNonNull(AllowedSkips.class.getResourceAsStream(resource), resource);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return of(reader.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static AllowedSkips of(List<String> lines) {
        return new AllowedSkips(lines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList());
    }

    boolean contain(String reason) {
        return reasons.stream().anyMatch(reason::contains);
    }
}
