package org.naklab.lab.core;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Masks the credentials of this process's command line and environment in whatever is recorded or shown. The command line itself is seen by
 * every user of the machine; only the environment and a file of passwords are not.
 */
public final class Secrets {
    /** Environment variables that hold one. */
    private static final Set<String> VARIABLES = Set.of("PGPASSWORD");

    private static final String MASK = "***";
    /** Shorter ones would be found in ordinary words; the patterns find them where they are given. */
    private static final int MIN_LENGTH = 4;

    private static final Pattern QUERY = Pattern.compile("(?i)(jdbc:[a-z0-9]+:[^\\s?'\"]*\\?)[^\\s'\"]+");
    private static final Pattern USER_INFO = Pattern.compile("//[^/\\s@'\"]*@");
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([\\w.-]*(?:password|passwd|pwd|secret)[\\w.-]*=)([^&\\s'\"]+)");
    private static final Pattern URL = Pattern.compile("(?i).*(jdbc:|://).*", Pattern.DOTALL);

    /** Longest first: one may be a part of another. */
    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values.stream()
                .filter(value -> value.length() >= MIN_LENGTH)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    /** Those that a command line and an environment hold. */
    public static Secrets of(List<String> arguments, Map<String, String> environment) {
        List<String> values = new ArrayList<>();
        for (String argument : arguments) {
            Matcher parameters = PARAMETER.matcher(argument);
            while (parameters.find()) {
                values.add(parameters.group(2));
                values.add(decoded(parameters.group(2)));
            }
        }
        VARIABLES.forEach(variable -> values.add(environment.getOrDefault(variable, "")));
        return new Secrets(values);
    }

    /** Takes them out of the environment of a process that needs none. */
    public static void removeFrom(Map<String, String> environment) {
        environment.keySet().removeAll(VARIABLES);
    }

    /** A text without them. */
    public String mask(String text) {
        String masked = QUERY.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        masked = USER_INFO.matcher(masked).replaceAll("//" + Matcher.quoteReplacement(MASK) + "@");
        masked = PARAMETER.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        for (String value : values) {
            masked = masked.replace(value, MASK);
        }
        return masked;
    }

    /** Arguments without them; of one that is a URL, the whole of its parameters goes. */
    public List<String> mask(List<String> arguments) {
        return arguments.stream().map(this::maskArgument).toList();
    }

    private String maskArgument(String argument) {
        int query = argument.indexOf('?');
        boolean hasParameters = query >= 0 && URL.matcher(argument).matches();
        return mask(hasParameters ? argument.substring(0, query + 1) + MASK : argument);
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException itIsNotEncoded) {
            return value;
        }
    }

    /** Never the secrets themselves. */
    @Override
    public String toString() {
        return Stream.generate(() -> MASK).limit(values.size()).toList().toString();
    }
}
