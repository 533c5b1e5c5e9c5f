package org.naklab.lab.cli.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** Shorter secrets are found in ordinary words; they are only replaced where they are given. */
    private static final int MIN_SECRET_LENGTH = 4;

    private static final int MIN_NAME_LENGTH = 2;

    /** Texts that may be looked for; more are only replaced where they are recognised. */
    private static final int MAX_KNOWN = 20_000;

    private static final int MAX_NESTED = 3;
    private static final int MAX_KEY = 1 << 15;

    private static final Pattern HOME = Pattern.compile(
            "(?:/(?:[\\w-]{1,32}/){0,2}(?:home|[Uu]sers)/|[A-Z]:\\\\{1,2}Users\\\\{1,2})([^/\\s\"'`:;,<>|\\\\)\\]}]{1,64})");

    /** As ssh and prompts have it: neither a symbol with its version, nor the identity of a Java object. */
    private static final String AT_HOST =
            "@(?![0-9a-f]{1,16}\\b|plt\\b)([a-z][a-z0-9]{0,62}-[a-z0-9-]{1,62}|[a-z][a-z0-9-]{0,62}(?=:[~/]))";

    private static final String LOGIN = "(?<![\\w.+@-])([a-z_][a-z0-9_-]{1,31})";
    private static final List<Pattern> USERS = List.of(
            Pattern.compile("(?i)\"(?:user|user[-_]?name|login)\"\\s{0,8}:\\s{0,8}\"([^\"\\\\]{1,256})\""),
            Pattern.compile("(?i)(?<![\\w])(?:--?)?(?:user|user[-_]?name|login|logname)=([^&\\s\"'\\\\,;]{1,256})"),
            Pattern.compile("//([^/\\s:@\"']{1,256})(?::[^/\\s@\"']{0,256})?@"),
            Pattern.compile("(?<![\\w/~])~([a-z_][a-z0-9_-]{1,31})/"),
            Pattern.compile(LOGIN + "(?=" + AT_HOST + ")"));
    private static final List<Pattern> HOSTS = List.of(
            Pattern.compile("(?i)\"(?:host|host[-_]?name|node[-_]?name)\"\\s{0,8}:\\s{0,8}\"([^\"\\\\\\s]{1,256})\""),
            Pattern.compile("(?i)(?<![\\w])(?:--?)?(?:host|host[-_]?name)=([\\w.-]{1,256})"),
            Pattern.compile("://(?:[^/\\s@\"']{0,512}@)?([A-Za-z][\\w.-]{0,255})"),
            Pattern.compile("(?<![\\w.+@-])[a-z_][a-z0-9_-]{1,31}" + AT_HOST),
            Pattern.compile(
                    "(?i)(?<![\\w./-])((?!(?:java|javax|sun|jdk|com|org|io|net)\\.)[a-z0-9][a-z0-9-]{0,62}(?:\\.[a-z0-9-]{1,63}){0,10}"
                            + "\\.(?:local|localdomain|internal|intranet|lan|corp|com|net|org|io|example|test|invalid)"
                            + "|(?!(?:java|javax|sun|jdk|com|org|io|net)\\.)[a-z0-9][a-z0-9-]{0,62}(?:\\.[a-z0-9-]{1,63}){1,10}"
                            + "\\.(?:cloud|eu|de|uk|fr|ch|jp|us|nl|se|sg|hk))(?![\\w(.-])"));

    /** The fields that tell who someone is by their names. */
    private static final Pattern USER_FIELD = Pattern.compile("(?i)user|user[-_]?name|login|log[-_]?name");

    private static final Pattern HOST_FIELD = Pattern.compile("(?i)host|host[-_]?name|node[-_]?name");
    private static final Pattern MAIL =
            Pattern.compile("(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,10}");
    private static final Pattern HARDWARE = Pattern.compile("(?i)(?<![\\w:])[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?![\\w:])");
    private static final Pattern NUMBER = Pattern.compile("[\\d.]+");

    /** What makes a secret that nobody would meet by chance: a digit, or a character that no name has. */
    private static final Pattern DISTINCT = Pattern.compile("(?s).*[^A-Za-z._ -].*");

    /** What a document, or a text of a document, begins with. */
    private static final String JSON = "{[\"";

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";

    private final Map<Redaction, Map<String, String>> placeholders = new EnumMap<>(Redaction.class);
    private final Map<String, BundleManifest.Replacement> replaced = new LinkedHashMap<>();
    private final KnownTexts known = new KnownTexts();
    private boolean isLearning;
    private boolean isInKeyBlock;
    /** Characters of the block with a key, which has an end even if none is written. */
    private int keyLength;

    private int suspects;
    private String file = "";

    /** Adds the names and secrets of a process's environment, by the names of the variables. */
    void learnEnvironment(Map<String, String> environment) {
        environment.forEach((name, value) -> {
            if (SecretPatterns.isSecretName(name)
                    && !SecretPatterns.isNoSecret(name, value)
                    && value.length() >= MIN_SECRET_LENGTH) {
                lookFor(Redaction.SECRET, value);
            }
        });
        List.of("USER", "LOGNAME", "SUDO_USER").forEach(name -> learnUser(environment.getOrDefault(name, "")));
        learnHost(environment.getOrDefault("HOSTNAME", ""));
        learnHome(environment.getOrDefault("HOME", ""));
    }

    void learnUser(String user) {
        if (user.length() >= MIN_NAME_LENGTH
                && !KEPT.contains(user.toLowerCase(Locale.ROOT))
                && !isNumber(user)
                && !isPlaceholder(user)) {
            lookFor(Redaction.USER, user);
        }
    }

    /** Adds a host name; of a qualified one, the first part as well. */
    void learnHost(String host) {
        String name = host.strip();
        int dot = name.indexOf('.');
        if (name.length() < MIN_NAME_LENGTH
                || KEPT.contains(name.toLowerCase(Locale.ROOT))
                || isNumber(name)
                || isPlaceholder(name)) {
            return;
        }
        lookFor(Redaction.HOST, name);
        if (dot > 0) {
            learnHost(name.substring(0, dot));
        }
    }

    /** Adds a home directory; {@code /root} names nobody. */
    void learnHome(String home) {
        if (home.length() > 1 && home.startsWith("/") && !home.equals("/root")) {
            lookFor(Redaction.HOME, home);
        }
    }

    /** Begins a file: blocks with keys do not go on into the next. */
    void begin(String path) {
        file = path;
        isInKeyBlock = false;
        suspects = 0;
    }

    /** Takes note of what a text reveals. */
    void learn(String text) {
        setLearning(true);
        redact(text);
        setLearning(false);
    }

    /** Makes {@link #redact} only take note of what texts reveal. */
    void setLearning(boolean isLearning) {
        this.isLearning = isLearning;
    }

    /**
     * Returns a line, or a whole text, without what was learnt, without addresses, and without what is secret by its name, its place or its form. A text that is an object
     * or an array of JSON is one afterwards. Lines come in the order of their file.
     */
    String redact(String text) {
        return text(text, 0);
    }

    String text(String text, int depth) {
        String opened = text.stripLeading();
        if (depth < MAX_NESTED && JSON.indexOf(opened.isEmpty() ? ' ' : opened.charAt(0)) >= 0 && !isInKeyBlock) {
            try {
                return new JsonRedaction(this, depth + 1).redact(text);
            } catch (JsonProcessingException itIsOrdinaryText) {
                // A log may begin a line with a bracket.
            }
        }
        return plain(text);
    }

    private String plain(String text) {
        String redacted = SecretPatterns.replace(withoutKeyBlocks(text), this::secret);
        if (isLearning) {
            learnNames(redacted);
            return redacted;
        }
        redacted = MAIL.matcher(redacted).replaceAll(match -> use(Redaction.MAIL, match.group(), "form"));
        redacted = known.replace(
                redacted,
                found -> (found.kind() == Redaction.HOME ? "/" : "") + use(found.kind(), found.original(), "known"));
        redacted =
                HARDWARE.matcher(redacted).replaceAll(match -> use(Redaction.HARDWARE_ADDRESS, match.group(), "form"));
        redacted = Addresses.replace(redacted, address -> use(Redaction.ADDRESS, address, "form"));
        suspects += RandomWords.count(redacted);
        return redacted;
    }

    /** Returns how many words of the file look as if they were made at random, and are still there. */
    int suspects() {
        return suspects;
    }

    private void learnNames(String text) {
        Matcher home = HOME.matcher(text);
        while (home.find()) {
            learnHome(home.group());
            learnUser(home.group(1));
        }
        USERS.forEach(pattern -> each(pattern, text, this::learnUser));
        HOSTS.forEach(pattern -> each(pattern, text, this::learnHost));
    }

    /** Takes note of the value of a field of JSON, where its name says whose it is. */
    void learnField(String name, String value) {
        if (isLearning && USER_FIELD.matcher(name).matches()) {
            learnUser(value);
        } else if (isLearning && HOST_FIELD.matcher(name).matches()) {
            learnHost(value);
        }
    }

    private static void each(Pattern pattern, String text, Consumer<String> learner) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            learner.accept(matcher.group(1));
        }
    }

    /** Takes out private keys, which may stand in one text, or begin in one line and end in another. */
    private String withoutKeyBlocks(String text) {
        int from = 0;
        StringBuilder rest = new StringBuilder();
        while (true) {
            int begin = isInKeyBlock ? from : beginOfKey(text, from);
            if (begin < 0) {
                return from == 0 ? text : rest.append(text, from, text.length()).toString();
            }
            rest.append(text, from, begin);
            int end = text.indexOf(END, begin);
            int close = end < 0 ? -1 : text.indexOf("-----", end + END.length());
            from = close < 0 ? text.length() : close + "-----".length();
            keyLength = isInKeyBlock ? keyLength + from - begin : from - begin;
            isInKeyBlock = end < 0 && keyLength < MAX_KEY;
            rest.append(use(Redaction.SECRET, text.substring(begin, from), "private key"));
            if (end < 0) {
                return rest.toString();
            }
        }
    }

    private static int beginOfKey(String text, int from) {
        int begin = text.indexOf(BEGIN, from);
        while (begin >= 0) {
            int close = text.indexOf("-----", begin + BEGIN.length());
            if (close >= 0 && text.substring(begin, close).contains("PRIVATE KEY")) {
                return begin;
            }
            begin = close < 0 ? -1 : text.indexOf(BEGIN, close);
        }
        return -1;
    }

    /** Returns what stands for a secret, which is looked for elsewhere if nobody would meet it by chance. */
    String secret(String secret, String recognisedBy) {
        if (isPlaceholder(secret)) {
            return secret;
        }
        if (secret.length() > MIN_SECRET_LENGTH && DISTINCT.matcher(secret).matches() && !isNumber(secret)) {
            lookFor(Redaction.SECRET, secret);
        }
        return use(Redaction.SECRET, secret, recognisedBy);
    }

    private static boolean isPlaceholder(String text) {
        return text.startsWith("redacted-");
    }

    /** Returns how many different originals of each kind were replaced. */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        replaced.values().forEach(each -> counts.merge(each.kind(), 1, Integer::sum));
        return counts;
    }

    /** Returns what was replaced, without the originals. */
    List<BundleManifest.Replacement> replacements() {
        return List.copyOf(replaced.values());
    }

    private void lookFor(Redaction kind, String original) {
        Map<String, String> ofKind = placeholders.computeIfAbsent(kind, none -> new LinkedHashMap<>());
        if (!ofKind.containsKey(key(kind, original)) && ofKind.size() < MAX_KNOWN) {
            placeholder(kind, original);
            List<String> spellings = kind == Redaction.SECRET ? Spelling.of(original) : List.of(original);
            spellings.forEach(spelling -> known.add(kind, spelling, original));
        }
    }

    private static String key(Redaction kind, String original) {
        return kind == Redaction.SECRET ? original : original.toLowerCase(Locale.ROOT);
    }

    private String placeholder(Redaction kind, String original) {
        Map<String, String> ofKind = placeholders.computeIfAbsent(kind, none -> new LinkedHashMap<>());
        String there = ofKind.get(key(kind, original));
        if (there != null) {
            return there;
        }
        if (ofKind.size() >= MAX_KNOWN) {
            return kind.placeholder(0);
        }
        String fresh = kind.placeholder(ofKind.size() + 1);
        ofKind.put(key(kind, original), fresh);
        return fresh;
    }

    /** Returns the placeholder of something that is replaced now. */
    private String use(Redaction kind, String original, String recognisedBy) {
        String placeholder = placeholder(kind, original);
        if (!isLearning) {
            replaced.merge(
                    placeholder,
                    new BundleManifest.Replacement(placeholder, kind.label(), recognisedBy, file, 1),
                    (first, again) -> first.again());
        }
        return placeholder;
    }

    private static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }
}
