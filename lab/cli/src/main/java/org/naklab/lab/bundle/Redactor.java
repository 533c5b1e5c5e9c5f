package org.naklab.lab.bundle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of texts who someone is and what is secret. All texts are first {@linkplain #learn learnt}: a name that one text reveals, such as the user
 * in a home path, is then replaced in all of them. The same original always has the same placeholder. One thread.
 */
final class Redactor {
    /** Names that say nothing about anybody, and that are words of the documents or of the lab's processes. */
    private static final Set<String> KEPT = Set.of(
            ("root nobody daemon localhost host user unknown null none naklab java mds gateway exchange true false auto yes no all any self "
                            + "vm kernel os process thread server linux debian ubuntu docker container test admin")
                    .split(" "));

    /** Kinds whose originals are looked for by their text. */
    private static final List<Redaction> BY_NAME =
            List.of(Redaction.SECRET, Redaction.HOME, Redaction.HOST, Redaction.USER);

    /** Shorter secrets are found in ordinary words; they are only replaced where they are given. */
    private static final int MIN_SECRET_LENGTH = 4;

    private static final int MIN_NAME_LENGTH = 2;

    /** No pattern may repeat without a bound what it can also match elsewhere: lines may have millions of characters. */
    private static final String SECRET_WORD =
            "(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|credentials?)";

    private static final String SECRET_NAME = "[\\w.-]{0,64}" + SECRET_WORD;
    private static final String QUOTED = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+){0,200})\"";

    /** A secret in its place: {@code name=value}, {@code "name": "value"}, {@code --name value}, {@code "--name", "value"}. */
    private static final List<Pattern> SECRETS = List.of(
            Pattern.compile("(?i)\"" + SECRET_NAME + "\"\\s*:\\s*" + QUOTED),
            Pattern.compile("(?i)\"--?" + SECRET_NAME + "\"\\s*,\\s*" + QUOTED),
            Pattern.compile("(?i)(?<!\\w)--?" + SECRET_NAME + "[ \\t]+\\\\?[\"']?([^\\s\"'\\\\]+)"),
            Pattern.compile("(?i)" + SECRET_WORD + "\\s?=\\s?\\\\?[\"']?([^&\\s\"'\\\\,;]+)"),
            // Parameters of the kernel: where the key of an encrypted disk is.
            Pattern.compile("(?i)(?:luks\\.key|cryptkey)=([^\\s\"'\\\\]+)"),
            Pattern.compile("(?i)\\bauthorization:?\\s+(?:bearer|basic)\\s+([^\\s\"']+)"),
            Pattern.compile("//[^/\\s:@\"']*:([^/\\s@\"']+)@"));

    private static final Pattern SECRET_VARIABLE = Pattern.compile("(?i)" + SECRET_NAME + "s?");

    private static final Pattern HOME = Pattern.compile("/(?:home|Users)/([^/\\s\"'`:;,<>|\\\\)\\]}]+)");
    private static final List<Pattern> USERS = List.of(
            Pattern.compile("(?i)\"(?:user|user[-_]?name|login)\"\\s*:\\s*\"([^\"\\\\]+)\""),
            Pattern.compile("(?i)(?<![\\w])(?:--?)?(?:user|user[-_]?name|login|logname)=([^&\\s\"'\\\\,;]+)"),
            Pattern.compile("//([^/\\s:@\"']+)(?::[^/\\s@\"']*)?@"));
    private static final List<Pattern> HOSTS = List.of(
            Pattern.compile("(?i)\"(?:host|host[-_]?name|node[-_]?name)\"\\s*:\\s*\"([^\"\\\\\\s]+)\""),
            Pattern.compile("(?i)(?<![\\w])(?:--?)?(?:host|host[-_]?name)=([\\w.-]+)"),
            Pattern.compile("://(?:[^/\\s@\"']*@)?([A-Za-z][\\w.-]*)"),
            Pattern.compile(
                    "(?i)(?<![\\w./-])((?!(?:java|javax|sun|jdk|com|org|io|net)\\.)[a-z0-9][a-z0-9-]{0,62}(?:\\.[a-z0-9-]{1,63}){0,10}"
                            + "\\.(?:local|localdomain|internal|intranet|lan|corp|com|net|org|io))(?![\\w(.-])"));
    private static final Pattern MAIL =
            Pattern.compile("(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,10}");
    private static final Pattern HARDWARE = Pattern.compile("(?i)(?<![\\w:])[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?![\\w:])");
    private static final Pattern PLACEHOLDER = Pattern.compile("redacted-secret-\\d+");
    private static final Pattern NUMBER = Pattern.compile("[\\d.]+");

    private final Map<Redaction, Map<String, String>> placeholders = new EnumMap<>(Redaction.class);
    private final Map<Redaction, Set<String>> used = new EnumMap<>(Redaction.class);
    private @Nullable Pattern names;

    /** Adds the names and secrets of a process's environment, by the names of the variables. */
    void learnEnvironment(Map<String, String> environment) {
        environment.forEach((name, value) -> {
            if (SECRET_VARIABLE.matcher(name).matches()) {
                learnSecret(value);
            }
        });
        List.of("USER", "LOGNAME", "SUDO_USER").forEach(name -> learnUser(environment.getOrDefault(name, "")));
        learnHost(environment.getOrDefault("HOSTNAME", ""));
        learnHome(environment.getOrDefault("HOME", ""));
    }

    void learnUser(String user) {
        if (user.length() >= MIN_NAME_LENGTH && !KEPT.contains(user.toLowerCase(Locale.ROOT)) && !isNumber(user)) {
            placeholder(Redaction.USER, user);
        }
    }

    /** Adds a host name; of a qualified one, the first part as well. */
    void learnHost(String host) {
        String name = host.strip();
        int dot = name.indexOf('.');
        if (name.length() < MIN_NAME_LENGTH || KEPT.contains(name.toLowerCase(Locale.ROOT)) || isNumber(name)) {
            return;
        }
        placeholder(Redaction.HOST, name);
        if (dot > 0) {
            learnHost(name.substring(0, dot));
        }
    }

    /** Adds a home directory; {@code /root} names nobody. */
    void learnHome(String home) {
        if (home.length() > 1 && home.startsWith("/") && !home.equals("/root")) {
            placeholder(Redaction.HOME, home);
        }
    }

    private void learnSecret(String secret) {
        if (secret.length() >= MIN_SECRET_LENGTH) {
            placeholder(Redaction.SECRET, secret);
        }
    }

    /** Takes note of what a text reveals. */
    void learn(String text) {
        SECRETS.forEach(pattern -> each(pattern, text, this::learnSecret));
        Matcher home = HOME.matcher(text);
        while (home.find()) {
            learnHome(home.group());
            learnUser(home.group(1));
        }
        USERS.forEach(pattern -> each(pattern, text, this::learnUser));
        HOSTS.forEach(pattern -> each(pattern, text, this::learnHost));
    }

    private static void each(Pattern pattern, String text, Consumer<String> learner) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            learner.accept(matcher.group(1));
        }
    }

    /** Returns the text without what was learnt, without addresses, and without what is secret by its place. */
    String redact(String text) {
        String redacted = text;
        for (Pattern pattern : SECRETS) {
            redacted = pattern.matcher(redacted).replaceAll(this::withoutSecret);
        }
        redacted = MAIL.matcher(redacted).replaceAll(match -> use(Redaction.MAIL, match.group()));
        redacted = names().matcher(redacted).replaceAll(match -> Matcher.quoteReplacement(known(match.group())));
        redacted = HARDWARE.matcher(redacted).replaceAll(match -> use(Redaction.HARDWARE_ADDRESS, match.group()));
        return Addresses.replace(redacted, address -> use(Redaction.ADDRESS, address));
    }

    /** Returns how many different originals of each kind were replaced. */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        used.forEach((kind, met) -> counts.put(kind.label(), met.size()));
        return counts;
    }

    private String withoutSecret(MatchResult match) {
        String whole = match.group();
        int begin = match.start(1) - match.start();
        int end = match.end(1) - match.start();
        String value = match.group(1);
        boolean isRedacted = value.isEmpty() || PLACEHOLDER.matcher(value).matches();
        String shown = isRedacted ? value : use(Redaction.SECRET, value);
        return Matcher.quoteReplacement(whole.substring(0, begin) + shown + whole.substring(end));
    }

    private String placeholder(Redaction kind, String original) {
        String key = kind == Redaction.SECRET ? original : original.toLowerCase(Locale.ROOT);
        Map<String, String> known = placeholders.computeIfAbsent(kind, none -> new LinkedHashMap<>());
        String there = known.get(key);
        if (there != null) {
            return there;
        }
        if (BY_NAME.contains(kind)) {
            names = null;
        }
        String fresh = kind.placeholder(known.size() + 1);
        known.put(key, fresh);
        return fresh;
    }

    /** Returns the placeholder of something that is replaced now. */
    private String use(Redaction kind, String original) {
        String placeholder = placeholder(kind, original);
        used.computeIfAbsent(kind, none -> new HashSet<>()).add(placeholder);
        return placeholder;
    }

    private String known(String found) {
        for (Redaction kind : BY_NAME) {
            String original = kind == Redaction.SECRET ? plain(found) : found.toLowerCase(Locale.ROOT);
            if (placeholders.getOrDefault(kind, Map.of()).containsKey(original)) {
                return kind == Redaction.HOME ? '/' + use(kind, original) : use(kind, original);
            }
        }
        throw new IllegalStateException("found a text that was never learnt");
    }

    /** Returns the secret that stands in a text, there escaped as in JSON or in a URL, or as it is. */
    private String plain(String found) {
        for (String secret :
                placeholders.getOrDefault(Redaction.SECRET, Map.of()).keySet()) {
            if (Spelling.of(secret).contains(found)) {
                return secret;
            }
        }
        return found;
    }

    /** Returns the pattern of all names and secrets, longest first: one may be a part of another. */
    private Pattern names() {
        Pattern current = names;
        if (current == null) {
            List<String> alternatives = new ArrayList<>();
            literals(Redaction.SECRET).stream()
                    .filter(secret -> secret.length() >= MIN_SECRET_LENGTH)
                    .flatMap(secret -> Spelling.of(secret).stream())
                    .forEach(secret -> alternatives.add(Pattern.quote(secret)));
            literals(Redaction.HOME).forEach(home -> alternatives.add("(?i:" + Pattern.quote(home) + ")(?![\\w-])"));
            List.of(Redaction.HOST, Redaction.USER).forEach(kind -> literals(kind)
                    .forEach(name ->
                            alternatives.add("(?<![A-Za-z0-9])(?i:" + Pattern.quote(name) + ")(?![A-Za-z0-9])")));
            current = Pattern.compile(alternatives.isEmpty() ? "(?!)" : String.join("|", alternatives));
            names = current;
        }
        return current;
    }

    private List<String> literals(Redaction kind) {
        return placeholders.getOrDefault(kind, Map.of()).keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    private static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }
}
