package org.naklab.lab.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cli.Naklab;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Matrix;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;
import org.naklab.testing.host.FreePorts;

/**
 * Ten minutes at 100,000 events a second with a page, its viewer and 1,000 customers grow neither the page nor its server: what is retained after a garbage collection at
 * the end is compared with the same at the first look after two minutes, from which on the server holds all that it keeps. There is a look at each fifth of the time. Nothing is said
 * of the run itself, which a small machine may not stand. {@code naklab.soak.minutes} makes it shorter; less than three show how it goes, and judge nothing.
 */
@Matrix
@Timeout(value = 1_500, unit = TimeUnit.SECONDS)
final class LiveSoakScenario {
    private static final int MINUTES = Integer.getInteger("naklab.soak.minutes", 10);
    private static final int CLIENTS = Integer.getInteger("naklab.soak.clients", 1_000);
    private static final int RATE = Integer.getInteger("naklab.soak.rate", 100_000);

    /** The server reaches its bounds in this time, except for the events and stalls that a page shows (1,000) and for the documents of the run. */
    private static final long FULL_S = 120;

    private static final double GROWTH = 1.3;

    private static final long SPARE_BYTES = 16L << 20;

    private static final Pattern URL = Pattern.compile("live at (http://\\S+)");
    private static final Pattern TOTAL = Pattern.compile("Total +(\\d+) +(\\d+)");
    /** A collector fills the room that it does not clear with arrays of this class, which the histogram counts although nobody holds them. */
    private static final Pattern FILLERS = Pattern.compile("\\d+: +(\\d+) +(\\d+) +\\[I ");

    @TempDir
    private Path directory;

    /**
     * Counts the objects and bytes that are retained, without arrays of int.
     *
     * @param atS since the run was started
     * @param elements of the page's document
     * @param pageBytes of the page's heap
     */
    private record Retained(long atS, long objects, long bytes, long elements, long pageBytes) {}

    private String err() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    /** The histogram of live objects collects garbage first. */
    private static Retained look(long atS, ProcessHandle server, Browser browser)
            throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder("jcmd", String.valueOf(server.pid()), "GC.class_histogram").start();
        String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).as(histogram).isZero();
        Matcher total = TOTAL.matcher(histogram);
        Matcher fillers = FILLERS.matcher(histogram);
        assertThat(total.find() && fillers.find()).as(histogram).isTrue();
        return new Retained(
                atS,
                Long.parseLong(total.group(1)) - Long.parseLong(fillers.group(1)),
                Long.parseLong(total.group(2)) - Long.parseLong(fillers.group(2)),
                browser.evaluate("document.querySelectorAll('*').length").asLong(),
                browser.retainedBytes());
    }

    @Test
    void shouldGrowNeitherThePageNorItsServer() throws IOException, InterruptedException {
        int durationS = MINUTES * 60;
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
        command.addAll(Installation.current()
                .withOwnClassPath()
                .command(
                        List.of(),
                        Naklab.class,
                        List.of(
                                "run",
                                "baseline",
                                "--serve=0",
                                "--port",
                                String.valueOf(FreePorts.pair()),
                                "--rate",
                                String.valueOf(RATE),
                                "--duration",
                                String.valueOf(durationS),
                                "--clients",
                                String.valueOf(CLIENTS),
                                "--runs",
                                directory.resolve("runs").toString())));
        Process lab = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        List<Retained> seen = new ArrayList<>();
        try {
            Awaitility.await("the address of the page")
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> URL.matcher(err()).find());
            Matcher url = URL.matcher(err());
            assertThat(url.find()).isTrue();
            try (Browser browser = Browser.open(
                    Chromium.find(),
                    Files.createDirectories(directory.resolve("browser")),
                    URI.create(url.group(1)),
                    1280,
                    720)) {
                long beginNs = System.nanoTime();
                for (int fifth = 1; fifth <= 5; fifth++) {
                    long afterS = (long) fifth * durationS / 5;
                    // The last look comes before the flow ends, whose start-up took longer than that.
                    long dueNs = beginNs + TimeUnit.SECONDS.toNanos(afterS);
                    Awaitility.await("the time of a look")
                            .atMost(1, TimeUnit.HOURS)
                            .until(() -> System.nanoTime() - dueNs >= 0 || !lab.isAlive());
                    assertThat(lab.isAlive()).as(err()).isTrue();
                    seen.add(look(afterS, lab.toHandle(), browser));
                    System.out.println(Json.line(seen.get(seen.size() - 1)));
                }
                assertThat(browser.evaluate("document.querySelectorAll('.strip').length")
                                .asInt())
                        .isGreaterThan(5);
            }
        } finally {
            int killed = new ProcessBuilder("kill", "-INT", String.valueOf(lab.pid()))
                    .start()
                    .waitFor();
            System.out.println("asked to end: " + killed + ", ended: " + lab.waitFor());
        }
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("live-soak.json"), Json.pretty(seen) + "\n");
        Retained late = seen.get(4);
        Retained early =
                seen.stream().filter(each -> each.atS() >= FULL_S).findFirst().orElse(late);
        assumeThat(early.atS())
                .as("a look after two minutes, and a later one: " + seen)
                .isLessThan(late.atS());
        assertThat(late.bytes())
                .as("bytes of the server: " + seen)
                .isLessThan((long) (early.bytes() * GROWTH) + SPARE_BYTES);
        assertThat(late.elements()).as("elements of the page: " + seen).isLessThan(early.elements() + 10_000);
        assertThat(late.pageBytes())
                .as("bytes of the page: " + seen)
                .isLessThan((long) (early.pageBytes() * GROWTH) + SPARE_BYTES);
    }
}
