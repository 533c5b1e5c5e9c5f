package org.naklab.lab.studies.foreign;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.scenarios.Verdict;

/**
 * Reads the header of a disturbance: comment lines {@code # key: value} that follow the line {@code # naklab-foreign: 1}, up to the first line
 * of another form.
 */
final class DisturbanceHeader {
    private static final String MARK = "naklab-foreign";
    private static final String VERSION = "1";
    private static final Pattern LINE = Pattern.compile("#\\s*([a-z][a-z-]*):\\s*(.*?)\\s*");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    /** A header stands at the beginning; a script is not read any further. */
    private static final int MOST_LINES = 100;

    private static final Set<String> REQUIRED = Set.of("name", "summary", "disturbs", "needs", "length-ms");
    private static final Set<String> OPTIONAL = Set.of("causes", "kinds", "verdicts", "rate", "target");
    /** A run that was completed can pass or contradict the prediction of an undisturbed service. */
    private static final Set<String> USUAL_VERDICTS = Set.of(Verdict.PASS.label(), Verdict.FAIL.label());
    /** Nothing holds up a run for longer. */
    private static final long MOST_MS = 60_000;

    private final Path script;
    private final Map<String, String> values;

    private DisturbanceHeader(Path script, Map<String, String> values) {
        this.script = script;
        this.values = values;
    }

    /**
     * Reads a file.
     *
     * @return empty if the file has no header and so is not a disturbance
     * @throws UsageException if the header is not complete or a value is not understood
     */
    static Optional<Disturbance> read(Path script) {
        Map<String, String> values = new LinkedHashMap<>();
        boolean isHeader = false;
        for (String line : firstLines(script)) {
            Matcher matcher = LINE.matcher(line);
            boolean isEntry = matcher.matches();
            if (isEntry && matcher.group(1).equals(MARK)) {
                isHeader = true;
                if (!matcher.group(2).equals(VERSION)) {
                    throw new UsageException(script + ": header version " + matcher.group(2) + " is not known");
                }
            } else if (isHeader && isEntry) {
                if (values.put(matcher.group(1), matcher.group(2)) != null) {
                    throw new UsageException(script + ": the header has " + matcher.group(1) + " twice");
                }
            } else if (isHeader) {
                break;
            }
        }
        return isHeader ? Optional.of(new DisturbanceHeader(script, values).disturbance()) : Optional.empty();
    }

    private static List<String> firstLines(Path script) {
        try (var lines = Files.lines(script, StandardCharsets.ISO_8859_1)) {
            return lines.limit(MOST_LINES).toList();
        } catch (IOException e) {
            throw new UsageException("cannot read " + script + ": " + e.getMessage());
        }
    }

    private Disturbance disturbance() {
        values.keySet().stream()
                .filter(key -> !REQUIRED.contains(key) && !OPTIONAL.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw wrong("has the unknown key '" + key + "'");
                });
        REQUIRED.stream()
                .sorted()
                .filter(key -> values.getOrDefault(key, "").isEmpty())
                .findFirst()
                .ifPresent(key -> {
                    throw wrong("has no " + key);
                });
        String name = value("name");
        if (!NAME.matcher(name).matches()) {
            throw wrong("has the name '" + name + "', which must consist of lower-case words and hyphens");
        }
        List<Set<String>> causes = causes();
        Set<AccountKind> kinds = kinds();
        if (causes.isEmpty() && kinds.isEmpty()) {
            throw wrong("declares no truth: causes or kinds are needed");
        }
        if (!Files.isExecutable(script)) {
            throw new UsageException(script + " is not executable");
        }
        return new Disturbance(
                name,
                value("summary"),
                value("disturbs"),
                new Disturbance.Truth(causes, kinds, verdicts()),
                new Disturbance.Demands(
                        List.copyOf(words(value("needs"))),
                        number("length-ms", value("length-ms"), MOST_MS),
                        values.containsKey("rate") ? (Long) number("rate", value("rate"), Long.MAX_VALUE) : null),
                target(),
                script);
    }

    private Target target() {
        String word = values.getOrDefault("target", Target.RUN.label());
        Target target = Target.of(word).orElseThrow(() -> wrong("has '" + word + "', which is not a target"));
        if (target == Target.WATCH && values.containsKey("rate")) {
            throw wrong("has a rate, but the script has a sender of its own");
        }
        return target;
    }

    /** Commas separate words for one cause; an ampersand separates causes. */
    private List<Set<String>> causes() {
        @Nullable String text = values.get("causes");
        if (text == null) {
            return List.of();
        }
        List<Set<String>> causes =
                Arrays.stream(text.split("&", -1)).map(this::words).toList();
        if (causes.stream().anyMatch(Set::isEmpty)) {
            throw wrong("has an empty cause in '" + text + "'");
        }
        causes.stream()
                .flatMap(Set::stream)
                .filter(word -> !NAME.matcher(word).matches())
                .findFirst()
                .ifPresent(word -> {
                    throw wrong("has '" + word + "', which is not a cause");
                });
        return causes;
    }

    private Set<AccountKind> kinds() {
        return words(values.getOrDefault("kinds", "")).stream()
                .map(word -> Arrays.stream(AccountKind.values())
                        .filter(kind -> kind.label().equals(word))
                        .findFirst()
                        .orElseThrow(() -> wrong("has '" + word + "', which is not a kind of the account")))
                .collect(Collectors.toSet());
    }

    private Set<String> verdicts() {
        Set<String> verdicts = words(values.getOrDefault("verdicts", ""));
        verdicts.stream()
                .filter(word -> Verdict.labelled(word).isEmpty())
                .findFirst()
                .ifPresent(word -> {
                    throw wrong("has '" + word + "', which is not a verdict");
                });
        return verdicts.isEmpty() ? USUAL_VERDICTS : verdicts;
    }

    private long number(String key, String text, long most) {
        try {
            long value = Long.parseLong(text);
            if (value > 0 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong("has " + key + " '" + text + "', which is not a whole number");
        }
        throw wrong("has " + key + " " + text + ", which is not from 1 to " + most);
    }

    private Set<String> words(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private String value(String key) {
        return values.getOrDefault(key, "");
    }

    private UsageException wrong(String what) {
        return new UsageException(script + ": the header " + what);
    }
}
