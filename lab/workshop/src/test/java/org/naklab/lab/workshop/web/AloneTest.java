package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.workshop.seal.Seal;

/** Somebody does the course alone, in several browsers, on a machine with other users. */
@Timeout(60)
final class AloneTest {
    private static final String UNIT = "/units/01-first-nak";

    @TempDir
    private Path directory;

    private ServedClass served;
    private String first = "";

    @BeforeEach
    void serve() {
        served = new ServedClass(directory);
        served.terminal("ada").start("1", false);
        first = served.server().serveAlone("http://127.0.0.1:1/", "ada");
    }

    @AfterEach
    void close() {
        served.close();
    }

    private static String secret(String link) {
        return link.substring(link.indexOf('#') + 1);
    }

    private ClassBrowser browser() {
        return new ClassBrowser(served.server().port());
    }

    private static HttpResponse<String> open(ClassBrowser browser, String link) {
        return browser.post("/join", "token", secret(link));
    }

    @Test
    void shouldOpenOneMoreBrowserByEachLink() {
        ClassBrowser laptop = browser();
        ClassBrowser phone = browser();
        assertThat(first).startsWith("http://127.0.0.1:1/#");
        assertThat(open(laptop, first).statusCode()).isEqualTo(303);
        String second = WorkshopServer.anotherLink(directory);
        assertThat(second).startsWith("http://127.0.0.1:1/#").isNotEqualTo(first);
        assertThat(open(phone, second).statusCode()).isEqualTo(303);
        assertThat(laptop.page("/")).contains(">begun<");
        phone.post(UNIT + "/hint");
        assertThat(laptop.page(UNIT)).contains("<ul><li>");
    }

    /** Who reads a link over somebody's shoulder, or finds it in a history, comes too late. */
    @Test
    void shouldOpenNothingByALinkThatWasUsedOrReplaced() {
        assertThat(open(browser(), first).statusCode()).isEqualTo(303);
        HttpResponse<String> again = open(browser(), first);
        assertThat(again.statusCode()).isEqualTo(403);
        assertThat(again.body())
                .contains("was used already", "naklab workshop link")
                .doesNotContain("ask the trainer");
        String second = WorkshopServer.anotherLink(directory);
        WorkshopServer.anotherLink(directory);
        assertThat(open(browser(), second).statusCode()).isEqualTo(403);
        assertThat(open(browser(), "#").statusCode()).isEqualTo(403);
    }

    /** There is no class: its code and a free name let nobody in. */
    @Test
    void shouldLetNobodyJoin() {
        ClassBrowser eve = browser();
        assertThat(eve.get("/").body()).contains("naklab workshop link").doesNotContain("name=\"code\"");
        assertThat(eve.join(served.server().code(), "eve").statusCode()).isEqualTo(403);
        assertThat(eve.get(UNIT).statusCode()).isEqualTo(401);
    }

    @Test
    void shouldLetNobodyTryLinks() {
        for (int i = 0; i < WrongTries.MAX_TRIES; i++) {
            assertThat(open(browser(), "#" + i).statusCode()).isEqualTo(403);
        }
        assertThat(open(browser(), first).statusCode()).isEqualTo(429);
        served.pass(WrongTries.WAIT_NS);
        assertThat(open(browser(), first).statusCode()).isEqualTo(303);
    }

    /** Other users can read neither the link nor its hash, and nothing of it stays. */
    @Test
    void shouldKeepTheLinkFromOthers() throws IOException {
        Path file = directory.resolve(LoneLink.NAME);
        WorkshopServer.anotherLink(directory);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(file)).doesNotContain(secret(first));
        served.restart();
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> WorkshopServer.anotherLink(directory))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("naklab workshop serve --alone");
        assertThat(browser().join(served.server().code(), "eve").statusCode()).isEqualTo(303);
    }

    /** Somebody who opens one browser after the other loses the oldest. */
    @Test
    void shouldForgetTheOldestOfManyBrowsers() {
        List<ClassBrowser> browsers = new ArrayList<>();
        for (int i = 0; i < Classroom.MAX_BROWSERS + 1; i++) {
            browsers.add(browser());
            open(browsers.get(i), i == 0 ? first : WorkshopServer.anotherLink(directory));
        }
        assertThat(browsers.get(0).get(UNIT).statusCode()).isEqualTo(401);
        assertThat(browsers.stream().skip(1))
                .allSatisfy(browser -> assertThat(browser.page(UNIT)).contains("ada"));
    }

    /** An earlier version kept one token of each trainee. */
    @Test
    void shouldReadTheClassOfAnEarlierVersion() throws IOException {
        served.server().close();
        String hash = Seal.sha256("0123".getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                directory.resolve(Classroom.NAME),
                "{\"code\":\"abcd-efgh\",\"trainer\":\"7\",\"unit\":null,\"revealed\":[],\"trainees\":{\"ada\":\""
                        + hash + "\",\"bo\":\"\"}}");
        served.restart();
        ClassBrowser ada = browser();
        ada.cookie("naklab-trainee=0123");
        assertThat(ada.page("/")).contains(">begun<");
        assertThat(browser().join("abcd-efgh", "ada").statusCode()).isEqualTo(409);
        assertThat(browser().join("abcd-efgh", "bo").statusCode()).isEqualTo(303);
    }

    @Test
    void shouldKeepTheBrowsersAfterARestart() {
        ClassBrowser laptop = browser();
        open(laptop, first);
        served.restart();
        served.server().serveAlone("http://127.0.0.1:1/", "ada");
        ClassBrowser again = browser();
        again.cookie(laptop.cookie());
        assertThat(again.page("/")).contains(">begun<");
    }
}
