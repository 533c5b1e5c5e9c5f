package org.naklab.lab.cli.linking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.instruments.calls.LibraryProfile;
import org.naklab.lab.instruments.calls.SystemAccount;
import org.naklab.lab.instruments.linking.Bindings;
import org.naklab.lab.instruments.linking.Relro;

/** What both commands print and write of figures that are given. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LinkingPagesTest {
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
                        "perfmeter (3758)   40.000  2.5       2.5    5.0  50.0   5.0  25.0    5.0    5.0");
        assertThat(String.join(" ", lines))
                .contains("cost 0.40 µs more, 0.15 µs of it within")
                .contains("-fno-plt, inlined, intrinsics")
                .contains("not timed, because they must be called directly: dlsym.")
                .contains("7 calls found no room in the table.");
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
        assertThat(page.select("rect.range").eachAttr("width")).startsWith("100.0", "10.0", "75.0", "12.5", "2.5");
        shouldNeedNoNetwork(page);
    }

    @Test
    void shouldShowBindingsOnAPage() throws IOException {
        Path file = directory.resolve("bindings.html");
        BindingsPage.write(file, process(1, 2));
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text()).isEqualTo("Process 4711 (java): 1 symbol unbound in 2 files");
        assertThat(page.select("#libraries td.open").eachText()).containsExactly("1");
        assertThat(page.text())
                .contains("sched_yield")
                .contains("from libc.so.6; its bind reads 9 pages, 2 of them from disk (libc.so.6 .dynstr 2)")
                .contains("mds-context (12)")
                .contains("link with -Wl,-z,now: <libfoo>");
        shouldNeedNoNetwork(page);
    }

    @Test
    void shouldSayWhenNothingIsUnbound() throws IOException {
        Path file = directory.resolve("bindings.html");
        BindingsPage.write(file, process(0, 0));
        Document page = Jsoup.parse(file);
        assertThat(page.select("#answer").text()).isEqualTo("Process 4711 (java): 0 symbols unbound in 2 files");
        assertThat(page.select("h2")).isEmpty();
    }

    @Test
    void shouldPrintBindings() {
        assertThat(printed(terminal -> new BindingsPrinter(terminal, process(1, 2), BindingsPrinter.FEW).print()))
                .containsSubsequence(
                        "Process 4711 (java): 1 symbol unbound in 2 files",
                        "  Library    RELRO    BIND_NOW  Slots  Unbound  On disk",
                        "  java       full     yes          10        0",
                        "  libfoo.so  partial  no           13        1        2",
                        "Unbound in /opt/libfoo.so");
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
                        List.of(new SystemAccount.SystemCall("flock", 186, 1, 20, 0.107527, 2.5, 19.5, 0.5)),
                        0));
    }

    private static Bindings process(int unbound, int onDisk) {
        Bindings.Symbol symbol = new Bindings.Symbol(
                "sched_yield",
                "0x1000",
                "libc.so.6",
                9,
                onDisk,
                List.of(new Bindings.Place("libc.so.6", ".dynstr", onDisk)));
        return new Bindings(
                4711L,
                "/usr/bin/java",
                false,
                false,
                unbound,
                List.of(),
                List.of(
                        new Bindings.Library("/usr/bin/java", "dynamic", Relro.FULL, true, 10, 0, List.of(), null),
                        new Bindings.Library(
                                "/opt/libfoo.so",
                                "dynamic",
                                Relro.PARTIAL,
                                false,
                                13,
                                unbound,
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
