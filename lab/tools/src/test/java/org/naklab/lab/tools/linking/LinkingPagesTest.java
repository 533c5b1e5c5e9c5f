package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.instruments.forecast.BindForecast;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.instruments.linking.Relro;
import org.naklab.lab.terminal.Terminal;
import org.naklab.testing.browser.PageInBrowser;

/** What both commands print and write of figures that are given. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LinkingPagesTest {
    private static final List<BindForecast> FORECASTS = List.of(
            forecast(true, 143.2, List.of("sched_yield"), 75.04),
            forecast(false, 286.1, Collections.nCopies(12, "a"), null));

    @TempDir
    private Path directory;

    @Test
    void shouldPrintTheTableOfTheOriginal() {
        List<String> lines = printed(terminal -> new LibprofPrinter(terminal, perfmeter(), 2).print());
        assertThat(lines)
                .containsSubsequence(
                        "Resource usage profile for process 3757, gnome-perfmeter, ended by signal 2",
                        "Name                 Duration    Pct.  Calls     Sec/Call",
                        "Entire program    40.00000000  100.00      1  40.00000000",
                        "Non-library time   4.00000000   10.00      1   4.00000000",
                        "----",
                        "poll              30.00000000   75.00    186   0.16129032",
                        "<fopen>            5.00000000   12.50    110   0.04545455",
                        "(1 other)          1.00000000    2.50     20   0.05000000");
        assertThat(lines)
                .containsSubsequence(
                        "Where the time of the threads went, % of the life of each",
                        "Thread            Life, s  CPU  Runnable  Fault  Lock  Disk  Poll  Sleep  Other",
                        "perfmeter (3758)   40.000  2.5       2.5    5.0  50.0   5.0  25.0    5.0    5.0",
                        "Locks for which threads waited, seconds",
                        "Held most by      Waits      Total   Longest    Longest waiter  Address",
                        "perfmeter (3758)     30  20.000000  2.500000  perfmeter (3759)   0x4040");
        assertThat(String.join(" ", lines))
                .contains("cost 0.40 µs more, 0.15 µs of it within")
                .contains("-fno-plt, inlined, intrinsics")
                .contains("not timed, because they must be called directly: dlsym.")
                .contains("7 calls found no room in the table.")
                .contains("Not in the table of locks: 2 waits until another thread went on, 1.500000 s together")
                .doesNotContain("No thread waited for a mutex.");
    }

    @Test
    void shouldShowTheProfileOnAPage() throws IOException {
        Path file = directory.resolve("pages/libprof.html");
        LibprofPage.write(file, perfmeter(), 2);
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text())
                .isEqualTo("75.0 % of the time was in poll: 186 calls, 0.161290 s each."
                        + " 10.0 % was outside of libraries.");
        assertThat(page.select("table.profile").get(0).select("td.name").eachText())
                .containsExactly("Entire program", "Non-library time", "poll", "<fopen>", "(1 other)");
        assertThat(page.select("table.profile")).hasSize(2);
        assertThat(page.select("#threads tbody td").eachText())
                .containsExactly(
                        "perfmeter (3758)", "40.000", "2.5", "2.5", "5.0", "50.0", "5.0", "25.0", "5.0", "5.0");
        assertThat(page.select("#calls tbody td").eachText())
                .containsExactly("flock", "186", "1", "20.000000", "0.107527", "2.500000", "19.500000", "0.500000");
        assertThat(page.select("#locks tbody td").eachText())
                .containsExactly("perfmeter (3758)", "30", "20.000000", "2.500000", "perfmeter (3759)", "0x4040");
        assertThat(page.select("table.profile").get(0).select("th").eachText())
                .as("what the bars are of")
                .contains("share of the time, 0 to 100 %");
        assertThat(page.select("#measured").text())
                .startsWith("Measured until ")
                .contains(" CPU", ", JDK ");
        assertThat(page.select("rect.range").eachAttr("width")).startsWith("100.0", "10.0", "75.0", "12.5", "2.5");
        shouldNeedNoNetwork(page);
    }

    @Test
    void shouldSayWhatUprobesSawAndCost() {
        LibraryProfile profile = attached("uprobes", 110, 4.5, List.of());
        assertThat(String.join(" ", printed(terminal -> new LibprofPrinter(terminal, profile, 5).print())))
                .contains(
                        "Measured by uprobes for 10.0 s, at the functions that were asked for. A call took 10.0 µs longer")
                .contains("The observation cost 4.5 % of one processor; the limit was 5.0 %.")
                .contains("30,000 calls took 0.300 s longer, setting and watching the probes 0.050 s, samples 0.100 s.")
                .contains(
                        "poll lost its probes after 0.25 s and 99 calls, because they cost more than the limit permits.")
                .contains("2 calls did not return: longjmp, an exception or the end of the thread")
                .contains(
                        "The account of waits and system calls is not complete: 3 threads, calls or locks found no room in it.")
                .contains("No thread waited for a mutex.")
                .contains("poll (libone.so)")
                .contains("poll (libtwo.so)")
                .doesNotContain("more than the limit: the time was too short");
        assertThat(LibprofText.answer(profile)).contains("in poll (libone.so): 110 calls, 0.045455 s each.");
        assertThat(String.join(" ", LibprofText.notes(attached("uprobes", 110, 7, List.of()))))
                .contains("It is more than the limit: the time was too short to take the probes away in time.");
    }

    @Test
    void shouldSayThatWaitsWereSampled() {
        LibraryProfile profile = attached("samples", 0, 0.5, List.of("no uprobes: a kernel without them"));
        assertThat(String.join(" ", printed(terminal -> new LibprofPrinter(terminal, profile, 5).print())))
                .contains(
                        "Measured by samples of waiting threads for 10.0 s: no uprobes: a kernel without them. Calls are");
        assertThat(LibprofText.answer(profile))
                .isEqualTo(
                        "50.0 % of the time was in poll (libone.so): seen in samples of waiting threads, its calls are not"
                                + " counted. 40.0 % was outside of these functions.");
    }

    /** Names that are long in all columns, every table, and many rows. */
    @Test
    void shouldFitOnTelephonesAndDesktops() throws Exception {
        Path profile = directory.resolve("libprof.html");
        LibprofPage.write(profile, wide(), 20);
        PageInBrowser.requireToFit(directory, profile);
        Path bindings = directory.resolve("bindings.html");
        BindingsPage.write(bindings, process(1, 2), FORECASTS);
        PageInBrowser.requireToFit(directory, bindings);
    }

    private static LibraryProfile wide() {
        String name = "_ZNSt8__detail9__variant17__gen_vtable_implINS0_12_Multi_arrayIPFNS0_21__deduce_visit_result";
        List<LibraryProfile.Function> functions = new ArrayList<>(perfmeter().functions());
        for (int i = 0; i < 12; i++) {
            functions.add(new LibraryProfile.Function(name + i, "libstdc++.so.6", 0.25, 0.5, 1_234_567_890L));
        }
        List<SystemAccount.ThreadAccount> threads = IntStream.range(0, 8)
                .mapToObj(i -> new SystemAccount.ThreadAccount(
                        "mds-context-" + i, 3757, 37580 + i, 40, new SystemAccount.Parts(1, 1, 2, 20, 2, 10, 2, 2)))
                .toList();
        List<SystemAccount.SystemCall> calls = List.of(
                new SystemAccount.SystemCall(
                        "flock", 186, 1, new SystemAccount.SystemCall.Times(20, 0.107527, 2.5, 19.5, 0.5)),
                new SystemAccount.SystemCall(
                        "sched_getaffinity",
                        1_234_567_890L,
                        1,
                        new SystemAccount.SystemCall.Times(20, 0.107527, 2.5, 19.5, 0.5)));
        LibraryProfile base = perfmeter();
        return new LibraryProfile(
                List.of("/opt/a/path/that/has/no/end/gnome-perfmeter", "--option-without-a-blank=" + name),
                base.pid(),
                base.method(),
                base.exitCode(),
                base.wallSeconds(),
                base.entireSeconds(),
                base.nonLibrarySeconds(),
                functions,
                List.of(new LibraryProfile.ThreadProfile("perfmeter", 3757, 3758, 1, 40, 4, functions)),
                base.overhead(),
                base.lostCalls(),
                base.abandonedCalls(),
                List.of("dlsym", name),
                null,
                new SystemAccount(
                        threads,
                        calls,
                        List.of(new SystemAccount.Lock(
                                3757,
                                "0x7ffff7dd3b40",
                                "mds-context-1 (37581)",
                                "mds-context-2 (37582)",
                                new SystemAccount.Waits(1_234_567, 20, 2.5))),
                        new SystemAccount.Waits(12, 3, 1),
                        3),
                0);
    }

    private static LibraryProfile attached(String method, long calls, double costPercent, List<String> noProbes) {
        return new LibraryProfile(
                List.of("/bin/gnome-perfmeter"),
                3757,
                method,
                0,
                10,
                10,
                4,
                List.of(
                        new LibraryProfile.Function("poll", "libone.so", 5, 50, calls),
                        new LibraryProfile.Function("poll", "libtwo.so", 1, 10, calls)),
                null,
                new LibraryProfile.Overhead(10_000, 10_000, calls, 0.3),
                0,
                2,
                List.of(),
                new LibraryProfile.Attachment(
                        "asked",
                        5,
                        costPercent,
                        new LibraryProfile.Cost(30_000, 0.3, 0.05, 0.1, 10),
                        List.of(new LibraryProfile.Cut("poll", 99, 0.25)),
                        noProbes),
                new SystemAccount(List.of(), List.of(), List.of(), new SystemAccount.Waits(0, 0, 0), 3),
                0);
    }

    @Test
    void shouldShowBindingsOnAPage() throws IOException {
        Path file = directory.resolve("bindings.html");
        BindingsPage.write(file, process(1, 2), FORECASTS);
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text()).isEqualTo("Process 4711 (java): 1 symbol unbound in 2 files");
        assertThat(page.select("#libraries td.open").eachText()).containsExactly("1");
        assertThat(page.text())
                .contains("sched_yield")
                .contains("from libc.so.6; its bind reads 9 pages, 2 of them from disk (libc.so.6 .dynstr 2)")
                .contains("mds-context (12)")
                .contains("link with -Wl,-z,now: <libfoo>");
        assertThat(page.select("#forecasts li.open").eachText())
                .containsExactly("mds-context will wait about 143 ms at its first sched_yield of libfoo.so: for 1 read"
                        + " (libc.so.6 .gnu.hash), the control group may read 7 times a second; its socket"
                        + " 239.1.1.1:4711 survives 75.0 ms, and drops what comes then");
        shouldNeedNoNetwork(page);
    }

    @Test
    void shouldSayWhenNothingIsUnbound() throws IOException {
        Path file = directory.resolve("bindings.html");
        BindingsPage.write(file, process(0, 0), List.of());
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text()).isEqualTo("Process 4711 (java): 0 symbols unbound in 2 files");
        assertThat(page.select("h2")).isEmpty();
    }

    @Test
    void shouldPrintBindings() {
        assertThat(printed(terminal ->
                        new BindingsPrinter(terminal, process(1, 2), FORECASTS, BindingsPrinter.FEW).print()))
                .containsSubsequence(
                        "Process 4711 (java): 1 symbol unbound in 2 files",
                        "  Library    RELRO    BIND_NOW  Slots  Unbound  On disk",
                        "  java       full     yes          10        0",
                        "  libfoo.so  partial  no           13        1        2",
                        "Unbound in /opt/libfoo.so",
                        "Forecast");
        assertThat(String.join(" ", printed(terminal -> new BindingsPrinter(
                                terminal, process(1, 2), FORECASTS, BindingsPrinter.FEW)
                        .print())))
                .contains("if memory gets short, mds-context would wait about 286 ms at its first")
                .contains("a, a or 2 others of libfoo.so")
                .contains("survives a time that is not known");
    }

    private static List<String> printed(java.util.function.Consumer<Terminal> printer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        printer.accept(Terminal.of(stream, stream));
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(String::stripTrailing)
                .toList();
    }

    /** The figures of the original, rounded. */
    @Test
    void shouldSayWhatToSetForAProgramThatWasNotLoaded() {
        LibraryProfile lacksRoom = notLoaded(127, 1);
        assertThat(String.join(" ", printed(terminal -> new LibprofPrinter(terminal, lacksRoom, 2).print())))
                .contains("naklab libprof -- env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536 rustc --version");
        assertThat(LibprofText.whyNotLoaded(notLoaded(1, 1))).isEmpty();
        assertThat(LibprofText.whyNotLoaded(notLoaded(127, 0)))
                .as("a shell that did not find a command")
                .isEmpty();
    }

    private static LibraryProfile notLoaded(int exitCode, long programs) {
        LibraryProfile.Overhead overhead = new LibraryProfile.Overhead(400, 150, 0, 0);
        return new LibraryProfile(
                List.of("rustc", "--version"),
                1,
                "plt-hooks",
                exitCode,
                0,
                0,
                0,
                List.of(),
                null,
                overhead,
                0,
                0,
                List.of(),
                null,
                null,
                programs);
    }

    private static LibraryProfile perfmeter() {
        List<LibraryProfile.Function> functions = List.of(
                new LibraryProfile.Function("poll", "libc.so.6", 30, 75, 186),
                new LibraryProfile.Function("<fopen>", "libc.so.6", 5, 12.5, 110),
                new LibraryProfile.Function("select", "libc.so.6", 1, 2.5, 20));
        return new LibraryProfile(
                List.of("/bin/gnome-perfmeter", "a b"),
                3757,
                "plt-hooks",
                130,
                40,
                40,
                4,
                functions,
                List.of(new LibraryProfile.ThreadProfile("perfmeter", 3757, 3758, 1, 40, 4, functions)),
                new LibraryProfile.Overhead(400, 150, 316, 0.0001),
                7,
                0,
                List.of("dlsym"),
                null,
                new SystemAccount(
                        List.of(new SystemAccount.ThreadAccount(
                                "perfmeter", 3757, 3758, 40, new SystemAccount.Parts(1, 1, 2, 20, 2, 10, 2, 2))),
                        List.of(new SystemAccount.SystemCall(
                                "flock", 186, 1, new SystemAccount.SystemCall.Times(20, 0.107527, 2.5, 19.5, 0.5))),
                        List.of(new SystemAccount.Lock(
                                3757,
                                "0x4040",
                                "perfmeter (3758)",
                                "perfmeter (3759)",
                                new SystemAccount.Waits(30, 20, 2.5))),
                        new SystemAccount.Waits(2, 1.5, 1),
                        0),
                0);
    }

    private static BindForecast forecast(
            boolean now, double waitMs, List<String> symbols, @Nullable Double headroomMs) {
        return new BindForecast(
                now,
                new BindForecast.Caller("mds-context", now, "libfoo.so", symbols),
                new BindForecast.Delay(
                        List.of("libc.so.6 .gnu.hash"), waitMs, "the control group may read 7 times a second"),
                new BindForecast.Buffer("239.1.1.1:4711", headroomMs));
    }

    private static Bindings process(int unbound, int onDisk) {
        Bindings.Symbol symbol = new Bindings.Symbol(
                "sched_yield",
                "0x1000",
                "libc.so.6",
                9,
                onDisk,
                List.of(new Bindings.Place("libc.so.6", ".dynstr", onDisk)),
                null);
        return new Bindings(
                4711L,
                "/usr/bin/java",
                false,
                false,
                unbound,
                List.of(),
                List.of(
                        new Bindings.Library(
                                "/usr/bin/java",
                                "dynamic",
                                new Bindings.Library.Binding(Relro.FULL, true, 10, 0),
                                List.of(),
                                null),
                        new Bindings.Library(
                                "/opt/libfoo.so",
                                "dynamic",
                                new Bindings.Library.Binding(Relro.PARTIAL, false, 13, unbound),
                                unbound == 0 ? List.of() : List.of(symbol),
                                List.of("mds-context (12)"))),
                unbound == 0 ? List.of() : List.of(new Bindings.Remedy("z-now", "link with -Wl,-z,now: <libfoo>")));
    }

    private static void shouldNeedNoNetwork(Document page) {
        assertThat(page.select("[src], link:not([href^=data:]), iframe, img, script"))
                .isEmpty();
        assertThat(page.select("meta[http-equiv=Content-Security-Policy]").attr("content"))
                .startsWith("default-src 'none'");
    }
}
