package org.naklab.lab.cli.bundle;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds secrets in a text: by the name before them, by the command, header or URL that they stand in, and by the forms of the keys of usual services. Each repetition has
 * a bound, so the work grows with the length of the text only.
 */
final class SecretPatterns {
    /** Names whose value is secret whatever it is. */
    private static final String PASSWORD = "pass(?:words?|wd|phrase|code)|pwd|secrets?";

    /** Names whose value is secret unless it is a number: a session of Aeron has one, and a rate limiter has tokens. */
    private static final String KEY =
            "tokens?|(?:api|private|access|account|shared|signing|signature|encryption|auth|master|client|license|deploy|service)"
                    + "[-_ ]?(?:access[-_]?)?key|credentials?|session[-_]?(?:id|key)|jwt|luks\\.key|cryptkey";

    private static final String NAME = "(?:" + PASSWORD + "|" + KEY + ")";

    /** What may follow the word in a name; the name of a source file is none. */
    private static final String REST =
            "(?:(?:[-_]|\\.(?!(?:java|cc?|cpp|h|py|go|rs|js)\\b))[A-Za-z0-9]{1,32}){0,4}(?:Keys?|Value|Id|Text|String|Hash|Base64|\\d{1,4})?";

    private static final String FULL_NAME = "[\\w./\\[-]{0,64}?" + NAME + REST;
    private static final String SEPARATOR = "\\\\?[\"'`]?\\]?[ \\t]{0,8}(?::=|=>|=|:)[ \\t]{0,8}";
    private static final String WORD = "[^&\\s\"'`\\\\,;)}\\]<>]";
    /** The end of a string is not asked for: a text may be cut, and what is found is never looked at twice. */
    private static final String STRING = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+){0,500}+)";

    private static final String QUOTED = "(?:\\\\\"([^\"\\\\]*+)|" + STRING + "|'([^']*+)|`([^`]*+))";
    private static final String HEADER_VALUE = "([^\"'\\\\]++)";

    /** Most texts have nothing of what the patterns with names and commands begin with. */
    private static final Pattern HINT =
            Pattern.compile("(?i)pass|pwd|secret|token|key|credential|session|jwt|cookie|auth|bearer|basic"
                    + "|mysql|mariadb|mongo|login|redis|ldap|smb|rpcclient|zip|7z|\\s-{1,2}u|://|[?&]|-p");

    /** Gives what stands for a secret. */
    interface Placeholder {
        String of(String secret, String recognisedBy);
    }

    private static final Map<Pattern, String> BY_PLACE = new LinkedHashMap<>();

    private static final Map<Pattern, String> BY_FORM = new LinkedHashMap<>();

    static {
        place(
                "header",
                "^\\s{0,8}(?:[<>*] ?)?(?:set-cookie2?|cookie2?|(?:proxy-)?authorization|x-[a-z-]{0,32}(?:key|token|secret|auth)):\\s{0,4}(\\S.*)$");
        place("header", "\\b(?:set-)?cookie2?\\\\?[\"']?\\s{0,4}[:=]\\s{0,4}\\\\?[\"']?" + HEADER_VALUE);
        place(
                "header",
                "\\b(?:proxy-)?authorization\\\\?[\"']?\\s{0,4}[:= ]\\s{0,4}\\\\?[\"']?"
                        + "(?:(?:bearer|basic|token|digest|negotiate|apikey|hmac|aws4-hmac-sha256)\\s{1,4})?"
                        + HEADER_VALUE);
        place(
                "header",
                "\\bx-[a-z-]{0,32}(?:key|token|secret|auth)\\\\?[\"']?\\s{0,4}[:=]\\s{0,4}\\\\?[\"']?" + HEADER_VALUE);
        place("header", "\\b(?:bearer|basic)\\s{1,4}((?=[A-Za-z]{0,64}[\\d+/=._-])[A-Za-z0-9+/=._~-]{12,4096}+)");
        place("URL", "//[^/\\s:@\"']{0,256}:([^/\\s@\"']{1,256})@");
        place("URL", "[?&](?:sig|signature|x-amz-signature|x-goog-signature|code|key)=([^&\\s\"'\\\\]{8,4096}+)");
        place(
                "option",
                "(?<![\\w-])(?:-u|--?user|--auth|--basic-auth|--proxy-user|--userpwd)[ =]{0,2}[\"']?"
                        + "[^\\s:\"'@/=-][^\\s:\"'@/=]{0,64}:([^\\s\"':/][^\\s\"']{0,512}+)");
        command("(?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh)", "-p ?([^\\s\"'-][^\\s\"']{0,256}+)");
        command("sshpass", "-p {0,4}[\"']?([^\\s\"']{1,256}+)");
        command("(?:docker|podman|helm|oras) {1,4}(?:registry )?login", "-p[ =]?[\"']?([^\\s\"']{1,256}+)");
        command("redis-cli", "-a ?([^\\s\"']{1,256}+)");
        command("ldap\\w{1,16}", "-w ?([^\\s\"']{1,256}+)");
        command("(?:smbclient|rpcclient)", "-U ?[^\\s%]{1,64}%([^\\s\"']{1,256}+)");
        command("(?:7za?|un?zip|zip)", "-[pP] ?([^\\s\"'-][^\\s\"']{0,256}+)");
        place("option", "(?<![\\w.])pass:([^\\s\"':]{3,256}+)");
        place(
                "name",
                "^\\s{0,40}(?:export |set |env |- |# ?)?(?:-D)?[\"']?" + FULL_NAME
                        + "[\"']?\\]?[ \\t]{0,8}(?::=|[=:])[ \\t]{0,8}(?![\"'`{\\[|>\\s\\\\]|redacted-)(.+)$");
        place("name", NAME + REST + SEPARATOR + QUOTED);
        place(
                "name",
                "(?:" + PASSWORD + ")" + REST + "\\\\?[\"']?: {1,4}(?!redacted-|[\"'\\\\{\\[])(" + WORD
                        + "{1,256}+(?: (?![\\w.-]{1,64}[=:])" + WORD + "{1,64}+){0,7})");
        place("name", NAME + REST + SEPARATOR + "(?!redacted-)(" + WORD + "{1,1024}+)");
        place("name", "(?<![a-z])pass\\\\?[\"']?[ \\t]{0,4}=[ \\t]{0,4}\\\\?[\"']?([^&\\s\"'\\\\,;]{1,256}+)");
        place("name", "\"pass\"\\s{0,4}:\\s{0,4}" + STRING);
        place("option", "--?" + FULL_NAME + "\"\\s{0,8},\\s{0,8}" + STRING);
        place(
                "option",
                "(?<!\\w)--?" + FULL_NAME
                        + "[ \\t]{1,8}\\\\?(?:\"([^\"\\\\]{1,256}+)|'([^']{1,256}+)|([^\\s\"'\\\\-][^\\s\"'\\\\]{0,256}+))");
        place("name", "\\blogin\\s{1,4}\\S{1,64}\\s{1,4}password\\s{1,4}(\\S{1,256}+)");
        place("name", "(?<![\\w-])(?:" + PASSWORD + ")[ \\t]{1,8}(?=[^\\s]{0,64}\\d)([^\\s\"'=:,;()]{4,256}+)");
        place("element", "<[\\w:.-]{0,64}?" + NAME + REST + "(?:\\s[^<>]{0,200})?>([^<]++)<");

        form("access key of AWS", "(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])");
        form("token of GitHub", "gh[pousr]_[A-Za-z0-9]{30,255}+");
        form("token of GitHub", "github_pat_\\w{22,255}+");
        form("token of GitLab", "gl(?:pat|ptt|rt|cbt|dt|soat|ft)-[\\w-]{16,128}+");
        form("token of Slack", "xox[abeoprs]-[\\w-]{10,250}+");
        form("token of Slack", "xapp-[\\w-]{10,250}+");
        form("key of Stripe", "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,250}+");
        form("key of Stripe", "whsec_[A-Za-z0-9]{16,128}+");
        form("key of a model service", "sk-[\\w-]{20,250}+");
        form("key of SendGrid", "SG\\.[\\w-]{16,64}\\.[\\w-]{16,128}+");
        form("key of Google", "AIza[\\w-]{35}(?!\\w)");
        form("key of Google", "ya29\\.[\\w-]{20,250}+");
        form("key of Google", "GOCSPX-[\\w-]{20,64}+");
        form("JSON web token", "eyJ[\\w-]{8,2048}+\\.[\\w-]{4,4096}+(?:\\.[\\w-]{0,1024}+)?");
        form("token of npm", "npm_[A-Za-z0-9]{30,64}+");
        form("token of PyPI", "pypi-[\\w-]{16,255}+");
        form("token of DigitalOcean", "(?:dop|doo|dor)_v1_[0-9a-f]{32,128}+");
        form("token of Hugging Face", "hf_[A-Za-z0-9]{20,64}+");
        form("token of Shopify", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,64}+");
        form("key of Mailgun", "key-[0-9a-f]{32}(?!\\w)");
        form("token of Telegram", "\\d{8,10}:[A-Za-z0-9_-]{35}(?![\\w-])");
        form("token of Vault", "hv[sbr]\\.[\\w-]{20,250}+");
        form("token of Docker", "dckr_pat_[\\w-]{20,64}+");
        form("token of Atlassian", "ATATT3[\\w=-]{20,250}+");
        form("token of Databricks", "dapi[0-9a-f]{32}(?!\\w)");
        form("token of Grafana", "glsa_[A-Za-z0-9]{20,64}_[0-9a-f]{8}");
        form("token of Grafana", "glc_[A-Za-z0-9+/=]{20,250}+");
        form("key of age", "AGE-SECRET-KEY-1[A-Z0-9]{20,100}+");
        form("key of Square", "sq0(?:atp|csp|idp)-[\\w-]{20,64}+");
        form("key of New Relic", "NRAK-[A-Z0-9]{20,40}+");
        form("token of Terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,100}+");
        BY_FORM.put(Pattern.compile("(?<=hooks\\.slack\\.com/services/)([\\w/]{20,100}+)"), "web hook");
        BY_FORM.put(Pattern.compile("(?<=/api/webhooks/)(\\d{10,25}/[\\w-]{20,100}+)"), "web hook");
    }

    private static final Pattern SECRET_NAME =
            Pattern.compile("(?i)(?:^pass|(?:^|[-_])(?:authorization|cookie)|" + NAME + REST + ")$");
    private static final Pattern PASSWORD_NAME =
            Pattern.compile("(?i)(?:" + PASSWORD + "|(?<![a-z])pass(?![a-z])|key)");
    private static final Pattern NUMBER = Pattern.compile("-?[\\d.,_]{1,32}(?:[a-zA-Z]{1,2}|/s)?");
    private static final Pattern COUNT = Pattern.compile("\\d{1,5}");
    private static final int MAX_NAME = 128;
    private static final Set<String> NO_VALUE = Set.of(
            "null", "none", "true", "false", "yes", "no", "***", "<none>", "unset", "undefined", "{", "[", "|", ">");

    private SecretPatterns() {}

    /** Returns the patterns of secrets. */
    static Stream<Pattern> patterns() {
        return Stream.concat(BY_FORM.keySet().stream(), BY_PLACE.keySet().stream());
    }

    private static void place(String what, String pattern) {
        BY_PLACE.put(Pattern.compile("(?i)" + pattern), what);
    }

    /** An option of a command counts only behind the command's name. */
    private static void command(String name, String option) {
        place("option", "\\b" + name + "\\b[^|;]{0,256}?\\s" + option);
    }

    private static void form(String what, String pattern) {
        BY_FORM.put(Pattern.compile("(?<!\\w)(" + pattern + ")"), what);
    }

    /** Returns whether what has this name is secret. */
    static boolean isSecretName(String name) {
        return SECRET_NAME
                .matcher(name.substring(Math.max(0, name.length() - MAX_NAME)))
                .find();
    }

    /** Returns whether the value of a secret name says nothing, or is a count. */
    static boolean isNoSecret(String name, String value) {
        return value.isBlank()
                || value.startsWith("redacted-")
                || NO_VALUE.contains(value.strip().toLowerCase(Locale.ROOT))
                || (NUMBER.matcher(value.strip()).matches()
                        && !PASSWORD_NAME.matcher(name).find());
    }

    /**
     * Replaces the secrets of a text.
     *
     * @param placeholder gives what stands for each
     */
    static String replace(String text, Placeholder placeholder) {
        String redacted = text;
        for (Map.Entry<Pattern, String> form : BY_FORM.entrySet()) {
            redacted = replace(form, redacted, placeholder);
        }
        if (HINT.matcher(redacted).find()) {
            for (Map.Entry<Pattern, String> place : BY_PLACE.entrySet()) {
                redacted = replace(place, redacted, placeholder);
            }
        }
        return redacted;
    }

    private static String replace(Map.Entry<Pattern, String> rule, String text, Placeholder placeholder) {
        Matcher matcher = rule.getKey().matcher(text);
        return matcher.find()
                ? matcher.replaceAll(match -> Matcher.quoteReplacement(replaced(match, rule.getValue(), placeholder)))
                : text;
    }

    private static String replaced(MatchResult match, String what, Placeholder placeholder) {
        String whole = match.group();
        for (int group = 1; group <= match.groupCount(); group++) {
            String value = match.group(group);
            if (value != null) {
                String before = whole.substring(0, match.start(group) - match.start());
                String after = whole.substring(match.end(group) - match.start());
                boolean isLine = before.endsWith(":")
                        && COUNT.matcher(value).matches()
                        && (match.start() > 0 || before.contains("."));
                return isLine || (!before.isEmpty() && isNoSecret(before, value))
                        ? whole
                        : before + placeholder.of(value, what) + after;
            }
        }
        return whole;
    }
}
