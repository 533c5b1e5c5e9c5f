package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;
import org.naklab.testing.host.FreePorts;

/** Runs that an instructor starts from the page of {@code naklab serve --act}, in a browser. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class InstructorScenario {
    private static final Pattern ADDRESS = Pattern.compile("instructor at (\\S+)");
    private static final String FAULTS = "document.getElementById('faults').textContent";

    @TempDir
    private Path directory;

    private NaklabProcess naklab;
    private Browser browser;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        naklab = NaklabProcess.command(
                directory,
                "serve",
                "--act",
                "--port",
                String.valueOf(FreePorts.pair()),
                "--runs",
                directory.resolve("runs").toString());
        naklab.await("the address", () -> ADDRESS.matcher(naklab.out()).find());
        Matcher address = ADDRESS.matcher(naklab.out());
        assertThat(address.find()).isTrue();
        browser = Browser.open(
                chromium, Files.createDirectory(directory.resolve("browser")), URI.create(address.group(1)), 1280, 720);
        await("what can be started", "document.body.dataset.offered");
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (naklab != null) {
            naklab.close();
        }
    }

    private void await(String what, String condition) {
        Awaitility.await(what).atMost(180, TimeUnit.SECONDS).until(() -> browser.evaluate("Boolean(" + condition + ")")
                .asBoolean());
    }

    private void set(String id, String value) throws InterruptedException {
        browser.evaluate("(each => { each.value = '" + value + "'; each.dispatchEvent(new Event('change')); })"
                + "(document.getElementById('" + id + "'))");
    }

    private void click(String id) throws InterruptedException {
        browser.evaluate("document.getElementById('" + id + "').click()");
    }

    private void start(String scenario, int seconds) throws InterruptedException {
        set("scenario", scenario);
        browser.evaluate("document.getElementById('duration').value = " + seconds);
        click("start");
        await("the run", "document.body.dataset.phase === 'running' && document.body.dataset.kind === 'run'");
        await("its strips", "document.querySelectorAll('canvas').length > 3");
    }

    @Test
    void shouldShowTheStallOfAMysteryAndItsAccountWhenItIsRevealed() throws InterruptedException, IOException {
        set("scenario", "mystery");
        set("fidelity", "simulated");
        set("clients", "3");
        click("start");
        await("the run", "document.body.dataset.phase === 'running'");
        await("a stall", "document.querySelectorAll('.stall').length > 0");
        assertThat(browser.evaluate("document.querySelectorAll('.account').length")
                        .asInt())
                .as("the account is a secret")
                .isZero();
        await("the snapshots of the service", "document.querySelector('.ladder.snapshot')");
        await(
                "the books of customers of exchange, service and gateway",
                "document.querySelectorAll('.ladder').length === 4");
        await(
                "a price that was late at a customer of the service",
                "[...document.querySelectorAll('.ladder')].some(each => each.textContent.includes('Service')"
                        + " && each.textContent.includes('worst so far'))");
        await("the end", "document.body.dataset.phase === 'over'");
        assumeThat(browser.evaluate("document.getElementById('run-text').textContent")
                        .asText())
                .as("a machine that is busy gives no verdict")
                .doesNotContain("no verdict");
        click("tell");
        await("the cause", "document.getElementById('verdict').textContent.includes('late-binding')");
        await("the account", "document.querySelectorAll('.account').length > 0");
    }

    @Test
    void shouldInjectLossIntoARunAndRemoveIt() throws InterruptedException {
        start("baseline", 120);
        browser.evaluate(
                "document.getElementById('fault').value = 'datagram-loss:probability=20%,on=gateway-1,for=100s'");
        click("inject");
        await("its proof", FAULTS + ".includes('fired (')");
        browser.evaluate("document.querySelectorAll('#faults button').forEach(each => each.click())");
        await("its removal", FAULTS + ".includes('removed; it had fired')");
        click("stop");
        await("the end", "document.body.dataset.phase === 'over'");
        assertThat(List.of(directory.resolve("runs/baseline").toFile().list()))
                .as("the run was kept")
                .isNotEmpty();
    }
}
