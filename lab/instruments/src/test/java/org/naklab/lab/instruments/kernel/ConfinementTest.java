package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.testing.Await;
import org.naklab.testing.host.Installed;

/** The recorder's program gives up the rights that it does not need, and reads files that recorded processes chose in a process that has none. */
@Timeout(120)
class ConfinementTest extends VictimRecording {
    private static final Path SOURCES = Path.of("src/main/c/kernel");

    /** Bits of linux/capability.h: to read files and processes of others, the priority, events of threads, maps of BPF. */
    private static final long NEEDED = bits(2, 19, 23, 38, 39);

    @Test
    void shouldKeepOnlyTheRightsThatReadingNeeds() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                BpfRecorder recorder = BpfRecorder.start(RecorderSettings.DEFAULT, log)) {
            assertConfined(recorder.pid(), NEEDED);
            assertConfined(parserOf(recorder).pid(), 0);

            assertThat(recorder.add(victim.pid())).isTrue();
            victim.go();
            victim.span();
            recorder.closeWithin(60);
        }
        assertThat(log.of(LostRecords.class)).isEmpty();
        assertThat(log.of(Absence.class))
                .flatExtracting(Absence::userStack)
                .as("stacks of a process that was added after the rights were gone")
                .anyMatch(frame -> frame.symbol().equals("main"));
    }

    @Test
    void shouldGoOnWithoutUserStacksIfTheirParserEnds() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                BpfRecorder recorder = BpfRecorder.start(RecorderSettings.DEFAULT, log)) {
            ProcessHandle parser = parserOf(recorder);
            assertThat(parser.destroyForcibly()).isTrue();
            Await.until("the end of the parser", () -> !parser.isAlive());
            assertThat(recorder.add(victim.pid())).isTrue();
            victim.go();
            victim.span();
            recorder.closeWithin(60);
        }
        assertThat(log.of(Absence.class)).isNotEmpty().allMatch(absence -> absence.userStack()
                .isEmpty());
        assertThat(log.of(LostRecords.class)).extracting(LostRecords::what).containsExactly("user stacks");
    }

    /** The kernel tells the name of a deleted program with a word behind it, and whoever runs it chooses what has that name. */
    @ParameterizedTest
    @ValueSource(strings = {"mkfifo", "mkdir", "ln -s /dev/zero", "ln -s /etc/passwd", "mknod -m 666"})
    void shouldNotWaitForWhatStandsInThePlaceOfAProgram(String making) throws Exception {
        Path copy = Files.copy(program, own.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
        List<String> command = new ArrayList<>(List.of(making.split(" ", -1)));
        command.add(own.resolve("program (deleted)").toString());
        command.addAll(making.startsWith("mknod") ? List.of("c", "1", "5") : List.of());
        Interval span;
        try (Victim victim = Victim.start(copy, "lock")) {
            Files.delete(copy);
            assertThat(run(command.toArray(String[]::new))).isTrue();
            BpfRecorder recorder = BpfRecorder.start(RecorderSettings.DEFAULT, log);
            assertThat(recorder.add(victim.pid())).isTrue();
            victim.go();
            span = victim.span();
            recorder.closeWithin(60);
        }
        assertThat(log.of(LostRecords.class)).isEmpty();
        assertThat(log.longestIn(span, "victim").userStack())
                .as("the libraries are known, the program is not")
                .anyMatch(frame -> frame.symbol().contains("lock"))
                .noneMatch(frame -> frame.symbol().equals("main"));
    }

    /** The record of a watch that Ctrl-C ends is complete: the terminal sends the signal to all of a process group. */
    @Test
    void shouldNotBeInTheSessionOfItsTerminal() throws Exception {
        try (BpfRecorder recorder = BpfRecorder.start(RecorderSettings.DEFAULT, log)) {
            assertThat(sessionOf(recorder.pid())).isEqualTo(recorder.pid());
            assertThat(sessionOf(parserOf(recorder).pid())).isEqualTo(recorder.pid());
            recorder.closeWithin(60);
        }
    }

    /** The fourth word after the name, which ends with the last parenthesis. */
    private static long sessionOf(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
    }

    /** Following a link fails too, and is not counted: the parser's library loses nothing by it. */
    @Test
    void shouldRefuseTheRecorderEachCallThatDoesNotRead() throws Exception {
        assertThat(acts("recorder"))
                .containsExactly(
                        "read 0",
                        "look 0",
                        "allocate 0",
                        "follow EPERM",
                        "create EPERM",
                        "overwrite EPERM",
                        "execute EPERM",
                        "fork EPERM",
                        "connect EPERM",
                        "signal EPERM",
                        "trace EPERM",
                        "type EPERM",
                        "code EPERM",
                        "load EPERM",
                        "regain EPERM",
                        "refused 11");
    }

    @Test
    void shouldRefuseTheParserEachCallThatOpensAnything() throws Exception {
        assertThat(acts("parser"))
                .contains("allocate 0", "refused 13")
                .filteredOn(act -> act.endsWith(" EPERM"))
                .hasSize(14);
    }

    /** An engine that does not know the finer rights gives the older one in their place. */
    @Test
    void shouldKeepTheOlderRightWhereItHasNoFinerOne() throws Exception {
        String given = "-dac_read_search,-cap_38,-cap_39";
        List<String> kept = lines(
                "setpriv",
                "--bounding-set",
                given,
                "--inh-caps",
                given,
                confined().toString(),
                "rights",
                "none");
        assertThat(kept).singleElement().satisfies(rights -> assertThat(Long.parseLong(rights, 16))
                .as(
                        "in place of reading any file, of performance events and of BPF: to override access, and to administer")
                .isEqualTo(bits(1, 19, 21, 23)));
    }

    private static ProcessHandle parserOf(BpfRecorder recorder) {
        return ProcessHandle.of(recorder.pid())
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow();
    }

    private static void assertConfined(long pid, long capabilities) throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
        for (String set : List.of("CapEff", "CapPrm", "CapInh")) {
            assertThat(Long.parseLong(valueOf(status, set), 16) & ~capabilities)
                    .as(set)
                    .isZero();
        }
        assertThat(valueOf(status, "NoNewPrivs")).isEqualTo("1");
        assertThat(valueOf(status, "Seccomp")).as("a filter").isEqualTo("2");
    }

    private List<String> acts(String confinement) throws IOException, InterruptedException {
        Path file = own.resolve("created");
        List<String> lines = lines(confined().toString(), confinement, file.toString());
        assertThat(file).doesNotExist();
        return lines;
    }

    private static List<String> lines(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines =
                process.inputReader(StandardCharsets.US_ASCII).lines().toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    private Path confined() throws IOException, InterruptedException {
        Installed.assume("cc");
        Path source = own.resolve("confined.c");
        try (InputStream in = Objects.requireNonNull(ConfinementTest.class.getResourceAsStream("confined.c"))) {
            Files.copy(in, source);
        }
        Path compiled = own.resolve("confined");
        assertThat(run(
                        "cc",
                        "-O2",
                        "-Wall",
                        "-Werror",
                        "-I" + SOURCES,
                        "-o",
                        compiled.toString(),
                        source.toString(),
                        SOURCES.resolve("naklab_confine.c").toString()))
                .isTrue();
        return compiled;
    }

    private static String valueOf(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ':'))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    private static long bits(int... positions) {
        long bits = 0;
        for (int position : positions) {
            bits |= 1L << position;
        }
        return bits;
    }
}
