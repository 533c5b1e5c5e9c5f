package org.naklab.lab.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;

/** Lines as they stand in logs, settings, documents and command lines; what stands between « and » must go. */
@Timeout(60)
final class RedactorTest {
    private static String redacted(String line) {
        Redactor redactor = new Redactor();
        redactor.learn(line);
        return redactor.redact(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWS_SECRET_ACCESS_KEY=«abcAIK/def+ghi»",
                "export AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG»",
                "aws_access_key_id = «AKIAIOSFODNN7EXAMPLE»",
                "password: «colonpw1»",
                "  passphrase: «some words in a row»",
                "12:00:01 INFO login with password: «two words»",
                "db.password=«with space tail1»",
                "spring.datasource.password=«dspw1»",
                "secretKey=«k-one-two»",
                "clientSecret: '«cs quoted one»'",
                "client_secret=\"«cs quoted two»\"",
                "log: {'apiKey': '«pykey1»'}",
                "got {\"password\" : \"«jsonpw 1»\"} from it",
                "TOKEN:«tok-colon-2»",
                "?token=«tok1»&size=3",
                "auth_token=«authtok1»",
                "session_id=«sess12345»",
                "sessionId: «sess67890»",
                "X-Api-Key: «1234567890abcdef»",
                "x-auth-token: «abcdef»",
                "Cookie: «session=\"deadbeef\"; user=7»",
                "> Set-Cookie: «id=a3fWa; Max-Age=2592000»",
                "Proxy-Authorization: «Basic dXNlcjpwYXNz»",
                "-H 'Authorization: Bearer «abc.def.ghi»'",
                "pass=«shortpw1»",
                "passwd «hunter3»",
                "machine x login me password «letters»",
                "PGPASSWORD=«pgpw12» psql -h db",
                "curl --auth user:«plainpw1» http://x",
                "curl -u user:«plainpw2» http://x",
                "mysql -u app -p«MyPass99» orders",
                "sshpass -p «sshpw123» ssh host",
                "redis-cli -h x -a «redispw»",
                "7z a -p«zippw» x.7z",
                "java -Djavax.net.ssl.keyStorePassword=«kspw1» -jar a.jar",
                "tool --password «optpw1» --rate 5",
                "tool --api-key=«optkey1» --rate 5",
                "tool --db-password '«optpw2 of two»'",
                "openssl rsa -passin pass:«sslpw»",
                "https://user:«urlpw1»@host/path",
                "amqp://guest:«urlpw3»@mq",
                "https://x/blob?sv=1&sig=«abcdefgh%3D»",
                "<db:password enc=\"no\">«elementpw»</db:password>",
                "remote: «ghp_16C7e42F292c6912E7710c838347Ae178B4a»",
                "«github_pat_11ABCDEFG0123456789_abcdefghijklmnop»",
                "ci «glpat-abcdefghij0123456789»",
                "slack «xoxb-123456789012-abcdefghijkl»",
                "key «AKIAIOSFODNN7EXAMPLX» in use",
                "google «AIzaSyA-1234567890abcdefghijklmnopqrstu»",
                "stripe «sk_live_4eC39HqLyjWDarjtT1zdp7dc»",
                "npm «npm_abcdefghijklmnopqrstuvwxyz0123456789»",
                "vault «hvs.CAESIJlWh1234567890abcdef»",
                "jwt «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w»",
                "sendgrid «SG.abcdefghijklmnopq.qrstuvwxyz012345»",
                "luks.key=«/dev/sdb1:/keyfile»",
                "ENCRYPTION_KEY=«0011223344556677»",
                "credentials=«user:secret9»",
                "{\"a\":{\"credentials\":{\"id\":\"x\",\"parts\":[\"«deep1»\"]}}}",
                "{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"«letters»\"}]}",
                "{\"arguments\":[\"--password\",\"«optpw»\"]}",
                "{\"arguments\":[\"/usr/bin/mysql\",\"-p«optpw3»\"]}",
                "{\"arguments\":[\"sshpass\",\"-p\",\"«optpw4»\"]}",
                "{\"pin\":1,\"password\":«4711»}",
                "{\"message\":\"{\\\"apiKey\\\":\\\"«inner»\\\"}\"}",
                "ssh bob@«trading-host-7»",
                "ssh «deploy»@md-gateway-03",
                "at /data/users/«bobby»/work",
                "host prod-md-03.«acme».example",
                "{\"user\":\"«zebulon»\",\"text\":\"by zebulon\"}",
            })
    void shouldTakeOutWhatIsSecret(String line) {
        String secret = line.substring(line.indexOf('«') + 1, line.indexOf('»'));
        String plain = line.replaceAll("[«»]", "");
        assertThat(redacted(plain)).doesNotContain(secret);
        // The same as a text in a document, as in an event with a line of a log.
        assertThat(redacted(Json.line(plain))).doesNotContain(secret);
        assertThat(redacted("{\"text\":" + Json.line(plain) + "}")).doesNotContain(secret);
    }

    @Test
    void shouldTakeOutABlockWithAKey() throws IOException {
        List<String> lines = List.of(
                "before -----BEGIN OPENSSH PRIVATE KEY-----",
                "Proc-Type: 4,ENCRYPTED",
                "AAAAB3NzaC1yc2EAAAADAQABAAABAQC7",
                "-----END OPENSSH PRIVATE KEY----- after");
        Redactor redactor = new Redactor();
        List<String> redacted = new ArrayList<>();
        lines.forEach(line -> redacted.add(redactor.redact(line)));

        assertThat(redacted.get(0)).startsWith("before redacted-secret-");
        assertThat(redacted.get(3)).startsWith("redacted-secret-").endsWith(" after");
        assertThat(String.join("\n", redacted)).doesNotContain("AAAAB3Nza", "PRIVATE KEY", "Proc-Type");
        String document = "{\"key\":" + Json.line(String.join("\n", lines)) + "}";
        assertThat(Json.parse(redactor.redact(document)).path("key").asText())
                .matches("before redacted-secret-\\d+ after");
    }

    /** A bundle is of no use if its evidence is gone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "passed: 38 of 39 conditions",
                "{\"type\":\"STALL\",\"process\":\"mds\",\"thread\":\"mds-context\",\"details\":{\"durationMs\":151.50}}",
                "{\"tokens\":17,\"sessionId\":-1969750584,\"key\":\"socket.4711\",\"beginNs\":1.0E400,\"token\":null}",
                "[pool-1-thread-2] WARN slow: 12 ms",
                "do_lookup_x < _dl_lookup_symbol_x < _dl_fixup < sched_yield",
                "java.lang.Object@1b28cdfa held by reporter",
                "memcpy@plt pthread_create@@GLIBC_2.34",
                "2,400,000 of stream 1001 session -1969750584",
                "key figures of the run: 3 stalls",
                "naklab run mystery --seed 42 --rate 5000",
                "tokens per second 5000, tokens: 5000",
                "org.naklab.lab.core.Secrets.of:61",
                "at org.x.PasswordChecker.check(PasswordChecker.java:112)",
                "org.naklab.lab.cli.run.RunCommand.run:112",
            })
    void shouldKeepWhatIsEvidence(String line) {
        assertThat(redacted(line)).isEqualTo(line);
    }

    /** The cases of the corpus were redacted when they were kept. */
    @Test
    void shouldChangeNothingInRedactedEvidence() throws IOException {
        List<Path> timelines;
        try (Stream<Path> all = Files.walk(Path.of("../cases/src/main/cases"), 2)) {
            timelines = all.filter(file -> file.endsWith("timeline.jsonl.gz")).toList();
        }
        assertThat(timelines).isNotEmpty();
        for (Path timeline : timelines) {
            Redactor redactor = new Redactor();
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                    new GZIPInputStream(Files.newInputStream(timeline)), StandardCharsets.UTF_8))) {
                for (String line : reader.lines().limit(100).toList()) {
                    redactor.learn(line);
                    assertThat(redactor.redact(line)).as(timeline.toString()).isEqualTo(line);
                }
            }
            assertThat(redactor.suspects()).as(timeline.toString()).isZero();
        }
    }

    /** The text of a password that is also a word must not take that word out of the evidence. */
    @Test
    void shouldReplaceAWordOnlyWhereItIsASecret() {
        Redactor redactor = new Redactor();
        redactor.learn("password: kernel");
        assertThat(redactor.redact("the kernel ran")).isEqualTo("the kernel ran");
    }

    @Test
    void shouldKeepJsonJson() throws IOException {
        String nasty =
                "password=\"q\\\" token: 'x' {\"secret\":\"y\\\\\"} -----BEGIN PRIVATE KEY-----\n\u0001 /home/zoe ";
        String text = "{\"password\":" + Json.line(nasty) + ",\"b\":[" + Json.line(nasty) + ",1e3,true,null,{}],"
                + Json.line(nasty) + ":" + Json.line("x".repeat(10_000_000)) + "}";
        for (boolean isIndented : List.of(true, false)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new JsonRedaction(new Redactor(), 0)
                    .redact(
                            new ByteArrayInputStream((text + "\n" + text).getBytes(StandardCharsets.UTF_8)),
                            out,
                            isIndented);
            JsonNode node = Json.parse(out.toByteArray());
            assertThat(node.size()).isEqualTo(3);
            assertThat(node.path("password").asText()).matches("redacted-secret-\\d+");
            assertThat(node.path("b").get(1).asText()).isEqualTo("1000.0");
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .doesNotContain("zoe")
                    .hasSizeLessThan(400_000);
        }
    }

    /** Counts the characters that the patterns look at, as a clock would count the machine's load. */
    @Test
    void shouldLookAtEachCharacterABoundedNumberOfTimes() {
        List<String> parts = List.of(
                "a",
                "ab.",
                "1.",
                ":a",
                "password",
                "password=",
                "\"password\":\"",
                "/home",
                "a-b.c ",
                "\\\"",
                "//x",
                "\"",
                "x@a.",
                "eyJ",
                "-eyJa.",
                "-----BEGIN ",
                "mysql ",
                " -p",
                "<token ",
                "<token>",
                "pass:",
                "token\\\"",
                "password:\\\"\\a",
                "passwd 1",
                "x-a",
                "cookie",
                "sk-",
                "{\"a\":");
        for (String part : parts) {
            long few = looked(part.repeat(4_000 / part.length()));
            long many = looked(part.repeat(32_000 / part.length()));
            assertThat(many).as(part).isLessThan(12 * few + 1_000_000);
        }
    }

    private static long looked(String text) {
        return SecretPatterns.patterns()
                .mapToLong(pattern -> {
                    CountedText counted = new CountedText(text);
                    pattern.matcher(counted).results().forEach(match -> {});
                    return counted.looked;
                })
                .sum();
    }

    /** A text that counts how often one of its characters is asked for. */
    private static final class CountedText implements CharSequence {
        private final String text;
        private long looked;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            looked++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Test
    void shouldSayWhatItReplacedWithoutSayingIt() {
        Redactor redactor = new Redactor();
        redactor.begin("a.log");
        redactor.redact("tool --api-key abc123 and ghp_16C7e42F292c6912E7710c838347Ae178B4a");
        redactor.begin("b.log");
        redactor.redact("tool --api-key abc123");

        assertThat(redactor.replacements().stream()
                        .map(each -> each.recognisedBy() + ' ' + each.firstFile() + ' ' + each.times())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("option a.log 2", "token of GitHub a.log 1");
        assertThat(redactor.replacements().toString()).doesNotContain("abc123", "ghp_");
    }
}
