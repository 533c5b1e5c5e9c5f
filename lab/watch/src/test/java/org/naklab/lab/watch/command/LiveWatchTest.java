package org.naklab.lab.watch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.process.Installation;
import org.naklab.lab.watch.command.live.VirtualTerminal;

/** A recorded watch in a pseudo terminal. */
@Timeout(120)
final class LiveWatchTest {
    private static final String CASE = "lab/cases/src/main/cases/watch-sigstop-foreign";
    private static final int INTERRUPTED = 130;

    /** What a program wrote in a terminal of each size, and after the last input. */
    private record Session(List<String> sizes, List<String> written, String rest, int exitCode) {}

    @Test
    void shouldFollowTheSizeOfTheTerminalAndLeaveItClean() throws Exception {
        Session session = session(Map.of(), List.of("100x24", "40x10", "20x5", "120x30"), "line");
        VirtualTerminal terminal = new VirtualTerminal(100, 24);
        List<List<String>> screens = screens(session, terminal);

        assertThat(screens.get(0).get(0))
                .startsWith("watching process 26689 for ")
                .endsWith("; Ctrl-C ends");
        assertThat(screens.get(0).get(1))
                .contains("socket", "depth", "limit", "headroom", "dropped", "rate", "last stall", "at");
        assertThat(screens.get(0).get(2)).contains("127.0.0.1:44426", "128 KiB", "498", "299.0 ms");
        assertThat(screens.get(0))
                .anyMatch(line -> line.endsWith("127.0.0.1:44426 dropped 200 datagrams, 201 in all"))
                .noneMatch(line -> line.contains("before true"));
        for (int i = 0; i < screens.size(); i++) {
            String step = "step " + i;
            assertThat(screens.get(i)).as(step).anyMatch(line -> line.strip().equals(step));
            assertThat(screens.get(i).stream().filter(line -> line.startsWith("watching")))
                    .as(step)
                    .hasSize(1);
        }
        assertThat(screens.get(1).get(1)).contains("depth", "dropped").doesNotContain("rate");
        assertThat(screens.get(3).get(1)).contains("rate", "last stall", "at");

        terminal.print(session.rest());
        assertThat(session.exitCode()).isZero();
        assertThat(terminal.isClean()).isTrue();
        assertThat(terminal.lines()).contains("the summary").noneMatch(line -> line.contains("Ctrl-C ends"));
        assertThat(terminal.lines()).anyMatch(line -> line.contains("is empty again after 299.0 ms"));
    }

    @Test
    void shouldGiveTheTerminalBackAtCtrlC() throws Exception {
        Session session = session(Map.of(), List.of("80x24"), "interrupt");
        VirtualTerminal terminal = new VirtualTerminal(80, 24);
        screens(session, terminal);
        assertThat(terminal.isAlternate()).isTrue();
        assertThat(terminal.isColoured()).isTrue();

        terminal.print(session.rest());
        assertThat(terminal.isClean()).isTrue();
        assertThat(session.exitCode()).isEqualTo(INTERRUPTED);
    }

    @Test
    void shouldUseNoColourIfNobodyWantsOne() throws Exception {
        Session session = session(Map.of("NO_COLOR", "1"), List.of("80x24"), "line");
        VirtualTerminal terminal = new VirtualTerminal(80, 24);
        assertThat(screens(session, terminal).get(0).get(2)).contains("498");
        terminal.print(session.rest());
        assertThat(terminal.isColoured()).isFalse();
    }

    @Test
    void shouldPrintLinesOnATerminalWithoutAScreen() throws Exception {
        Session session = session(Map.of("TERM", "dumb"), List.of("80x24"), "line");
        VirtualTerminal terminal = new VirtualTerminal(80, 24);
        terminal.print(session.written().get(0) + session.rest());
        assertThat(terminal.isAlternate()).isFalse();
        assertThat(terminal.lines())
                .contains("step 0", "the summary")
                .anyMatch(line -> line.contains("datagrams dropped    127.0.0.1:44426"));
    }

    private static List<List<String>> screens(Session session, VirtualTerminal terminal) {
        List<List<String>> screens = new ArrayList<>();
        for (int i = 0; i < session.sizes().size(); i++) {
            String[] size = session.sizes().get(i).split("x", -1);
            terminal.resize(Integer.parseInt(size[0]), Integer.parseInt(size[1]));
            terminal.print(session.written().get(i));
            screens.add(terminal.screen());
        }
        return screens;
    }

    private static Session session(Map<String, String> environment, List<String> sizes, String last)
            throws IOException, InterruptedException, URISyntaxException {
        Path script = Path.of(Objects.requireNonNull(LiveWatchTest.class.getResource("terminal.py"), "terminal.py")
                .toURI());
        Path root = Path.of(System.getProperty("naklab.root"));
        List<String> command = new ArrayList<>(List.of("python3", script.toString()));
        command.addAll(sizes);
        command.add(last);
        command.addAll(Installation.current()
                .withOwnClassPath()
                .command(
                        List.of("-XX:TieredStopAtLevel=1", "-Dnaklab.terminals=12"),
                        RecordedWatch.class,
                        List.of(root.resolve(CASE).toString())));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().remove("NO_COLOR");
        builder.environment().put("TERM", "xterm");
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            assumeThat(e).as("python3 is installed").isNull();
            throw e;
        }
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return new Session(
                sizes,
                lines.subList(0, sizes.size()).stream().map(LiveWatchTest::text).toList(),
                text(lines.get(sizes.size())),
                Integer.parseInt(lines.get(sizes.size() + 1)));
    }

    private static String text(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.UTF_8);
    }
}
