package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Workshop;

/** What a hostile trainee, another site, and somebody without a token try. */
@Timeout(120)
final class HostileClassTest {
    private static final String UNIT = "/units/01-first-nak";
    private static final int SILENCE_MS = 30_000;

    @TempDir
    private Path directory;

    private ServedClass served;
    private ClassBrowser ada;

    @BeforeEach
    void serve() {
        served = new ServedClass(directory.resolve("workshop"));
        ada = ClassBrowser.of("ada", served.server());
        ada.post(UNIT + "/start");
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Session session() {
        Workshop workshop = served.terminal("ada");
        return workshop.session(workshop.unit("1")).orElseThrow();
    }

    private ClassBrowser stranger() {
        return new ClassBrowser(served.server().port());
    }

    @Test
    void shouldRefuseToBeCalledByAForeignName() throws IOException {
        for (String host : new String[] {
            "evil.example.com", "evil.example.com:" + served.server().port()
        }) {
            String answer = raw("GET / HTTP/1.1\r\nHost: " + host + "\r\nCookie: " + ada.cookie() + "\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 421 ").doesNotContain("ada");
        }
    }

    /** The form of another site would carry the cookie of an old browser. */
    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example.com", "null", "", "http://127.0.0.1", "https://127.0.0.1:1"})
    void shouldTakeNoFormOfAForeignOrigin(String origin) {
        assertThat(ada.postFrom(origin, UNIT + "/answer", "cause", "clean", "sure", "50")
                        .statusCode())
                .isEqualTo(403);
        assertThat(ada.postFrom(origin, UNIT + "/hint").statusCode()).isEqualTo(403);
        assertThat(session().answer()).isNull();
        assertThat(session().hints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                UNIT,
                UNIT + "/evidence/statistics",
                UNIT + "/debrief",
                "/trainer/matrix",
                "/trainer/class.csv",
                "/trainer/wall/ada/01-first-nak",
                "/trainer/nothing"
            })
    void shouldShowNothingWithoutAToken(String path) {
        for (String cookie : new String[] {
            "", "naklab-trainee=", "naklab-trainer=", "naklab-trainee=0; naklab-trainer=0", ada.cookie() + "0"
        }) {
            ClassBrowser stranger = stranger();
            stranger.cookie(cookie);
            HttpResponse<String> answer = stranger.get(path);
            assertThat(answer.statusCode()).as(cookie).isEqualTo(401);
            assertThat(answer.body()).doesNotContain("ada", served.server().code());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/start", "/hint", "/ask", "/answer", "/evidence/scheduler"})
    void shouldDoNothingWithoutAToken(String action) {
        assertThat(stranger()
                        .post(UNIT + action, "cause", "clean", "what", "run-queue", "sure", "50")
                        .statusCode())
                .isEqualTo(401);
        assertThat(session().answer()).isNull();
        assertThat(session().spent()).isZero();
    }

    /** A released name has no token at all, not even an empty one. */
    @Test
    void shouldTakeNoEmptyTokenForAReleasedName() {
        ClassBrowser.ofTrainer(served.server()).post("/trainer/release", "trainee", "ada");
        for (String cookie : new String[] {"naklab-trainee=", "naklab-trainee=\"\"", ada.cookie()}) {
            ClassBrowser stranger = stranger();
            stranger.cookie(cookie);
            assertThat(stranger.get(UNIT).statusCode()).as(cookie).isEqualTo(401);
        }
    }

    @Test
    void shouldLetATraineeActForNobodyElse() {
        ClassBrowser bo = ClassBrowser.of("bo", served.server());
        bo.post(UNIT + "/start", "trainee", "ada", "again", "yes");
        bo.post(UNIT + "/hint?trainee=ada", "trainee", "ada", "name", "ada");
        bo.post(UNIT + "/answer?trainee=ada", "trainee", "ada", "cause", "clean", "sure", "50");
        assertThat(session().attempt()).isZero();
        assertThat(session().hints()).isEmpty();
        assertThat(session().answer()).isNull();
        for (String path : new String[] {"/", UNIT + "?trainee=ada", UNIT + "/debrief?trainee=ada"}) {
            assertThat(bo.get(path).body()).doesNotContain("ada");
        }
        bo.cookie(bo.cookie() + "; naklab-trainee=0");
        assertThat(bo.get(UNIT).statusCode()).isEqualTo(401);
    }

    @Test
    void shouldLetATraineeDoNothingOfTheTrainer() {
        String asTrainer = ada.cookie().replace("naklab-trainee", "naklab-trainer");
        for (String cookie : new String[] {ada.cookie(), asTrainer, ada.cookie() + "; " + asTrainer}) {
            ClassBrowser trainee = stranger();
            trainee.cookie(cookie);
            for (String path :
                    new String[] {"/trainer/matrix", "/trainer/class.csv", "/trainer/wall/ada/01-first-nak"}) {
                assertThat(trainee.get(path).statusCode()).isEqualTo(401);
            }
            assertThat(trainee.get("/trainer").body())
                    .doesNotContain("ada", served.server().code());
            for (String path : new String[] {"/trainer/reveal", "/trainer/unit", "/trainer/release"}) {
                HttpResponse<String> answer =
                        trainee.post(path, "unit", "01-first-nak", "shown", "yes", "trainee", "ada");
                assertThat(answer.statusCode()).isEqualTo(401);
            }
        }
        assertThat(ada.get(UNIT + "/debrief").statusCode()).isEqualTo(400);
        assertThat(ada.page("/")).doesNotContain("The class works on");
    }

    /** The trainer's token is no trainee's, and opens no unit. */
    @Test
    void shouldGiveTheTrainerNoTraineesPage() {
        assertThat(ClassBrowser.ofTrainer(served.server()).get(UNIT).statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/units/..%2f..%2f_class.json",
                "/units/%2e%2e/_class.json",
                "/units/../_class.json",
                "/_class.json",
                "/workshop.key",
                "/ada/01-first-nak/case/sealed.bin",
                "/units/01-first-nak/case/sealed.bin",
                "/units/01-first-nak/evidence/..%2fsealed",
                "/trainer/wall/..%2fada/01-first-nak",
                "/trainer/wall/_class.json/01-first-nak",
                "/trainer/wall/ada/..%2f..%2fworkshop.key",
                "/trainer/wall/%2fetc/passwd",
                "//etc/passwd",
                "*",
                "x",
                "http://127.0.0.1",
                "/units/%00/x",
                "/%zz"
            })
    void shouldServeNoFile(String path) throws IOException {
        String trainer = ClassBrowser.ofTrainer(served.server()).cookie();
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + served.server().port() + "\r\nCookie: " + ada.cookie() + "; " + trainer + "\r\n\r\n");
        assertThat(answer)
                .matches("(?s)HTTP/1\\.1 40[04] .*")
                .doesNotContain(served.server().code(), served.server().trainerToken(), "root:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../eve",
                "..",
                ".",
                "",
                "a/b",
                "_class.json",
                "workshop.key",
                "<b>",
                "a b",
                "=1+1",
                "a\nb",
                "Ada"
            })
    void shouldTakeNoNameThatIsNone(String name) throws IOException {
        assertThat(stranger().join(served.server().code(), name).statusCode()).isEqualTo(409);
        try (Stream<Path> all = Files.walk(directory)) {
            assertThat(all.map(path -> String.valueOf(path.getFileName()))).doesNotContain("eve", "b", "a");
        }
    }

    @Test
    void shouldRefuseLongBodies() throws IOException {
        String head = "POST " + UNIT + "/answer HTTP/1.1\r\nHost: 127.0.0.1:"
                + served.server().port() + "\r\nOrigin: http://127.0.0.1:"
                + served.server().port() + "\r\nCookie: " + ada.cookie() + "\r\n";
        assertThat(raw(head + "Content-Length: 999999999\r\n\r\nx")).startsWith("HTTP/1.1 413 ");
        String chunks = ("1000\r\n" + "x".repeat(0x1000) + "\r\n").repeat(3);
        assertThat(raw(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)).startsWith("HTTP/1.1 413 ");
        assertThat(session().answer()).isNull();
    }

    @Test
    void shouldMakeWhoTriesCodesWait() {
        ClassBrowser eve = stranger();
        for (int i = 0; i < WrongTries.MAX_TRIES; i++) {
            assertThat(eve.join("aaaa-aaaa", "eve").statusCode()).isEqualTo(403);
        }
        assertThat(eve.join(served.server().code(), "eve").statusCode()).isEqualTo(429);
        assertThat(eve.post("/trainer/login", "token", served.server().trainerToken())
                        .statusCode())
                .isEqualTo(429);
        assertThat(ada.get(UNIT).statusCode()).isEqualTo(200);
        served.pass(WrongTries.WAIT_NS);
        assertThat(eve.join(served.server().code(), "eve").statusCode()).isEqualTo(303);
    }

    @Test
    void shouldMakeWhoTriesTokensOfTheTrainerWait() {
        ClassBrowser eve = stranger();
        for (int i = 0; i < WrongTries.MAX_TRIES; i++) {
            assertThat(eve.post("/trainer/login", "token", "0").statusCode()).isEqualTo(403);
        }
        assertThat(eve.post("/trainer/login", "token", served.server().trainerToken())
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void shouldShowMarkupAsText() {
        String markup = "\"><script>alert(1)</script>";
        for (HttpResponse<String> answer : List.of(
                ada.post(UNIT + "/answer", "cause", markup, "because", markup, "at", markup, "sure", markup),
                ada.post(UNIT + "/ask", "what", markup),
                stranger().join("x", markup))) {
            assertThat(answer.body()).doesNotContain("<script>alert").contains("&lt;script&gt;");
        }
    }

    @Test
    void shouldProtectEveryAnswer() {
        for (String path : new String[] {"/", UNIT, UNIT + "/evidence/statistics", "/nothing", "/trainer"}) {
            assertThat(ada.get(path)
                            .headers()
                            .firstValue("content-security-policy")
                            .orElse(""))
                    .as(path)
                    .startsWith("default-src 'none'; script-src ")
                    .contains("frame-ancestors 'none'", "base-uri 'none'")
                    .doesNotContain("unsafe", "http");
            assertThat(ada.get(path).headers().firstValue("x-frame-options")).hasValue("DENY");
            assertThat(ada.get(path).headers().firstValue("cache-control")).hasValue("no-store");
        }
        assertThat(stranger()
                        .join(served.server().code(), "bo")
                        .headers()
                        .firstValue("set-cookie")
                        .orElse(""))
                .contains("HttpOnly", "SameSite=Strict");
    }

    /** Neither the file of the class nor that of the key may be read by others. */
    @Test
    void shouldKeepItsFilePrivate() throws IOException {
        Path file = directory.resolve("workshop").resolve(Classroom.NAME);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        String token = ada.cookie().substring(ada.cookie().indexOf('=') + 1);
        assertThat(Files.readString(file)).contains("\"ada\"").doesNotContain(token);
    }

    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), served.server().port())) {
            socket.setSoTimeout(SILENCE_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
