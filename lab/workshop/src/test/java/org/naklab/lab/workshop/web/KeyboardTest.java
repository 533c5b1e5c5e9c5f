package org.naklab.lab.workshop.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.workshop.Session;
import org.naklab.lab.workshop.Workshop;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** All pages of the workshop without a mouse. */
@Timeout(300)
final class KeyboardTest {
    private static final String UNIT = "/units/01-first-nak";
    private static final int MOST_STEPS = 300;

    /** What the Tab key has to reach, in this order: everything that can be used and is seen; of choices, the chosen or the first one. */
    private static final String USABLE =
            "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]"
                    + ".filter(each => !each.disabled && each.type !== 'hidden' && each.checkVisibility())"
                    + ".filter(each => each.type !== 'radio' || each === (each.form.querySelector('[name=' + each.name + ']:checked')"
                    + " || each.form.querySelector('[name=' + each.name + ']')))";

    /** The Tab key begins where the focus was last, even if that element is gone. */
    private static final String TO_THE_TOP = "(() => { const first = document.createElement('button');"
            + " document.body.prepend(first); first.focus(); first.remove(); })()";

    private static final String NAME = "(each => each.getAttribute('aria-label')"
            + " || (each.labels && each.labels.length ? each.labels[0].textContent.trim() : '')"
            + " || (each.matches('input, select') ? '' : each.textContent.trim()))";

    @TempDir
    private Path directory;

    private ServedClass served;
    private Browser browser;

    @BeforeEach
    void serve() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        served = new ServedClass(directory.resolve("workshop"));
        browser = Browser.start(chromium, Files.createDirectory(directory.resolve("browser")), 1280, 900);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (served != null) {
            served.close();
        }
    }

    private void go(String path) throws InterruptedException {
        browser.go(URI.create("http://127.0.0.1:" + served.server().port() + path));
    }

    /** By a link of who is alone. */
    private void letIn(String trainee) throws InterruptedException {
        String link = served.server().serveAlone("", trainee);
        go("/");
        requireReachable("the form of who is alone");
        browser.evaluate("location.hash = '" + link + "'");
        browser.await("document.querySelector('h1').textContent === 'Units' && document.readyState === 'complete'");
    }

    /** From the form for the token. */
    private void letTrainerIn() throws InterruptedException {
        browser.evaluate("location.hash = '" + served.server().trainerToken() + "'");
        browser.await("document.querySelector('h1').textContent === 'Class' && document.readyState === 'complete'");
    }

    /** Starts the unit until its case is one in which something happens. */
    private Workshop startedBy(String trainee) {
        Workshop workshop = served.terminal(trainee);
        workshop.start("1", false);
        while (!workshop.cause(workshop.unit("1")).equals("process-paused")) {
            workshop.start("1", true);
        }
        return workshop;
    }

    /** Every element once, in the order of the page, with a name and with a ring around it; and behind the last one the page ends. */
    private void requireReachable(String path) throws InterruptedException {
        browser.evaluate(TO_THE_TOP);
        List<String> wanted = texts(USABLE + ".map(" + NAME + ")");
        assertThat(wanted).as(path).isNotEmpty().allMatch(name -> !name.isBlank());
        int first = 0;
        for (int i = 0; i < wanted.size(); i++) {
            browser.press("Tab");
            int at = browser.evaluate(USABLE + ".indexOf(document.activeElement)")
                    .asInt();
            if (i == 0) {
                first = at;
            }
            assertThat(at).as(path + ": after " + i + " steps").isEqualTo(first + i);
            JsonNode ring = browser.evaluate("(style => style.outlineStyle + ' ' + style.outlineWidth)"
                    + "(getComputedStyle(document.activeElement))");
            assertThat(ring.asText())
                    .as(path + ": ring around " + wanted.get(i))
                    .doesNotStartWith("none")
                    .doesNotEndWith(" 0px");
        }
        assertThat(first).as(path).isZero();
        browser.press("Tab");
        assertThat(browser.evaluate(USABLE + ".indexOf(document.activeElement)").asInt())
                .as(path + ": behind the last one")
                .isLessThanOrEqualTo(0);
    }

    private List<String> texts(String expression) throws InterruptedException {
        List<String> texts = new ArrayList<>();
        browser.evaluate(expression).forEach(each -> texts.add(each.asText()));
        return texts;
    }

    /** Goes on with the Tab key until the focus is on an element. */
    private void tabTo(String selector) throws InterruptedException {
        for (int i = 0; i < MOST_STEPS; i++) {
            browser.press("Tab");
            if (browser.evaluate("document.activeElement.matches('" + selector + "')")
                    .asBoolean()) {
                return;
            }
        }
        throw new AssertionError("the Tab key does not reach " + selector);
    }

    private void awaitTitle(String title) {
        browser.await(
                "document.readyState === 'complete' && document.querySelector('h1').textContent === '" + title + "'");
    }

    @Test
    void shouldReachEverythingOnThePagesOfATrainee() throws InterruptedException {
        go("/");
        requireReachable("/");
        letIn("ada");
        requireReachable("the units");
        go(UNIT);
        requireReachable("a unit before its start");
        startedBy("ada");
        for (String page : List.of(
                UNIT, UNIT + "/evidence/statistics", UNIT + "/evidence/packets", UNIT + "/evidence/scheduler")) {
            go(page);
            requireReachable(page);
        }
        requireReachableFilm(UNIT + "/film.html");
    }

    /** A film that has ended adds nothing more. */
    private void requireReachableFilm(String page) throws InterruptedException {
        go(page);
        browser.await("document.body.dataset.ready");
        tabTo("#seek");
        browser.press("End");
        browser.await("document.getElementById('play').textContent === 'Play again'");
        browser.await("document.querySelectorAll('#events details').length > 0");
        requireReachable(page);
    }

    @Test
    void shouldReachEverythingOnThePagesOfTheTrainer() throws InterruptedException {
        startedBy("ada");
        go("/trainer");
        requireReachable("the login of the trainer");
        letTrainerIn();
        for (String page : List.of("/trainer", "/trainer/matrix", "/trainer/wall/ada/01-first-nak")) {
            go(page);
            requireReachable(page);
        }
        requireReachableFilm("/trainer/wall/ada/01-first-nak/film.html");
    }

    /** From the code to the score. */
    @Test
    void shouldPlayAUnit() throws InterruptedException {
        go("/");
        tabTo("#code");
        browser.type(served.server().code());
        tabTo("#name");
        browser.type("ada");
        browser.press("Enter");
        awaitTitle("Units");
        tabTo("a[href=\"" + UNIT + "\"]");
        browser.press("Enter");
        browser.await("location.pathname === '" + UNIT + "' && document.readyState === 'complete'");
        tabTo("main button");
        browser.press("Enter");
        browser.await("document.getElementById('because') && document.readyState === 'complete'");
        tabTo("a[href$=\"/evidence/statistics\"]");
        browser.press("Enter");
        awaitTitle("statistics");
        tabTo("button.cite[value=dropped]");
        browser.press(" ");
        browser.await("document.activeElement.textContent === 'cited'");
        tabTo("a[href$=\"#answer\"]");
        browser.press("Enter");
        browser.await("document.getElementById('because') && document.getElementById('because').value === 'dropped'");
        tabTo("input[name=cause]");
        browser.press("ArrowDown");
        String cause = browser.evaluate("document.querySelector('input[name=cause]:checked').value")
                .asText();
        assertThat(cause)
                .isEqualTo(
                        served.terminal("ada").unit("1").settings().suspects().get(1));
        tabTo("#sure");
        browser.type("70");
        tabTo("button.main");
        browser.press("Enter");
        browser.await("document.body.textContent.includes(' of 100') && document.readyState === 'complete'");
        Workshop workshop = served.terminal("ada");
        Session session = workshop.session(workshop.unit("1")).orElseThrow();
        assertThat(session.answer()).isNotNull().satisfies(answer -> {
            assertThat(answer.cause()).isEqualTo(cause);
            assertThat(answer.because()).containsExactly("dropped");
            assertThat(answer.sure()).isEqualTo(70);
        });
    }

    /** To choose is not to send: a page changes when it is told to. */
    @Test
    void shouldLeadAClass() throws InterruptedException {
        startedBy("ada");
        go("/trainer");
        tabTo("#token");
        browser.type(served.server().trainerToken());
        browser.press("Enter");
        awaitTitle("Class");
        tabTo("select[name=unit]");
        browser.press("ArrowDown");
        browser.press("ArrowDown");
        assertThat(browser.evaluate("location.search").asText()).isEmpty();
        tabTo("form button");
        browser.press("Enter");
        browser.await("location.search === '?unit=03-who-took-the-processor' && document.readyState === 'complete'");
        tabTo("button.main");
        browser.press("Enter");
        browser.await(
                "document.body.textContent.includes('All are asked to work on 03-') && document.readyState === 'complete'");
        go("/trainer?unit=01-first-nak");
        tabTo("a[href$=\"/film.html\"]");
        browser.press("Enter");
        browser.await("document.body.dataset.ready");
        tabTo("#play");
        browser.press(" ");
        browser.await("document.getElementById('play').textContent === 'Play'");
        tabTo("#seek");
        browser.press("End");
        browser.await("document.querySelectorAll('#events details').length > 0");
        tabTo("#events summary");
        browser.press("Enter");
        tabTo("#events details button");
        browser.press("Enter");
        browser.await("document.activeElement.id === 'play'");
    }
}
