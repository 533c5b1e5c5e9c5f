package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.tools.linking.LibraryProfiler;
import org.naklab.lab.tools.linking.SystemRecorder;
import org.naklab.testing.Matrix;

/** {@code naklab libprof} as a user calls it: exit codes, both streams, and what it says about its method. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class LibprofScenario {
    /** Calls a function as often as is known, says so, and, with an argument, waits for the end of its input. */
    private static final String PROGRAM = """
            #include <stdio.h>
            #include <unistd.h>

            int main(int argc, char **argv)
            {
                char letter;
                for (int i = 0; i < 1000; i++)
                    getppid();
                puts("output of the program");
                fflush(stdout);
                while (argc > 1 && read(STDIN_FILENO, &letter, 1) > 0)
                    ;
                return argv[0] ? 7 : 0;
            }
            """;

    private static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--mount-proc");

    @TempDir
    private Path directory;

    private @Nullable Process running;

    @BeforeEach
    void assumeBuilt() {
        assumeTrue(LibraryProfiler.isAvailable(), "the profiler of library calls is not built here");
    }

    @AfterEach
    void end() {
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    private Path compile(String... flags) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("program.c"), PROGRAM);
        Path program = directory.resolve("program");
        List<String> command =
                new ArrayList<>(List.of("cc", "-O1", "-fno-builtin", "-o", program.toString(), source.toString()));
        command.addAll(List.of(flags));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return program;
    }

    private NaklabOutcome libprof(String... arguments) throws IOException {
        return libprof(List.of(), arguments);
    }

    private NaklabOutcome libprof(List<String> prefix, String... arguments) throws IOException {
        Path own = Files.createTempDirectory(directory, "libprof");
        try (NaklabProcess naklab = NaklabProcess.command(prefix, own, arguments)) {
            return naklab.outcome();
        }
    }

    /** Skips the test, with the reason, where BPF programs do not run. */
    private void assumeBpf() {
        try {
            SystemRecorder.start(directory).close();
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    @Test
    void shouldPrintTheTableAndLeaveTheOutputOfTheProgram() throws Exception {
        NaklabOutcome outcome =
                libprof("libprof", "--top", "2", "--", compile("-fplt").toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("output of the program\n", ", program, exit code 7", "Entire program", "Non-library time")
                .contains("Measured by hooks of the linkage tables")
                .containsPattern("\\(\\d+ others?\\)");
    }

    @Test
    void shouldKeepStandardOutputForTheDocument() throws Exception {
        NaklabOutcome outcome = libprof(
                "libprof", "--json", "--top", "1", "--", compile("-fplt").toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.err()).contains("output of the program");
        JsonNode document = outcome.document();
        assertThat(document.path("functions")).hasSize(1);
        assertThat(document.path("exitCode").asInt()).isEqualTo(7);
        assertThat(document.path("method").asText()).isEqualTo("plt-hooks");
    }

    @Test
    void shouldNameAProgramOrAProcessThatIsNotThere() throws Exception {
        NaklabOutcome noProgram = libprof("libprof", "--", "/nowhere/program");
        assertThat(noProgram.exitCode()).isEqualTo(66);
        assertThat(noProgram.err()).contains("cannot start /nowhere/program");
        NaklabOutcome noProcess = libprof("libprof", "--attach", "999999999");
        assertThat(noProcess.exitCode()).isEqualTo(66);
        assertThat(noProcess.err()).contains("there is no process 999999999");
    }

    /** A program without a linkage table is measured by uprobes, and the output says so. */
    @Test
    void shouldMeasureAProgramWithoutALinkageTableByUprobes() throws Exception {
        assumeBpf();
        Path program = compile("-fno-plt");
        NaklabOutcome text = libprof("libprof", "--", program.toString());
        assertThat(text.exitCode()).as(text.err()).isZero();
        assertThat(text.out().replaceAll("\\s+", " "))
                .contains("at the functions that the program imports")
                .contains("The observation cost ");
        JsonNode document =
                libprof("libprof", "--json", "--", program.toString()).document();
        assertThat(document.path("method").asText()).isEqualTo("uprobes");
        assertThat(document.path("exitCode").asInt()).isEqualTo(7);
        assertThat(document.path("functions")).anySatisfy(function -> {
            assertThat(function.path("name").asText()).isEqualTo("getppid");
            assertThat(function.path("calls").asInt()).isEqualTo(1000);
        });
    }

    @Test
    void shouldAccountForThreadsOfARunningProgram() throws Exception {
        assumeBpf();
        Process program = start();
        NaklabOutcome outcome = libprof(
                "libprof", "--attach", Long.toString(program.pid()), "--for", "1s", "--system", "--threads", "--json");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode document = outcome.document();
        assertThat(document.path("method").asText()).isEqualTo("uprobes");
        assertThat(document.path("functions").path(0).path("name").asText()).isEqualTo("read");
        JsonNode thread = document.path("system").path("threads").path(0);
        assertThat(thread.path("name").asText()).isEqualTo("program");
        assertThat(thread.path("seconds").asDouble()).isGreaterThanOrEqualTo(1);
        assertThat(thread.path("parts").path("other").asDouble()).isGreaterThan(0.9);
        assertThat(document.path("attachment").path("costPercent").asDouble())
                .isLessThanOrEqualTo(
                        document.path("attachment").path("limitPercent").asDouble());
    }

    private Process start() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(compile("-fplt").toString(), "wait").start();
        running = program;
        assertThat(program.inputReader().readLine()).isEqualTo("output of the program");
        return program;
    }

    /** A container's PID namespace stands for a kernel without uprobes: what was asked for is refused by name, and the rest is sampled. */
    @Test
    void shouldRefuseWhatTheKernelCannotDo() throws Exception {
        assumeBpf();
        assumeThat(new ProcessBuilder("unshare", "--pid", "--fork", "--mount-proc", "true")
                        .start()
                        .waitFor())
                .as("namespaces can be made here")
                .isZero();
        NaklabOutcome system = libprof(NAMESPACE, "libprof", "--system", "--", "true");
        assertThat(system.exitCode()).as(system.err()).isEqualTo(69);
        assertThat(system.err()).contains("no account of waits and system calls: ", "run it on the host");

        List<String> beside = new ArrayList<>(NAMESPACE);
        beside.addAll(List.of("sh", "-c", "sleep 60 & \"$@\" --attach $!; code=$?; kill $!; exit $code", "sh"));
        NaklabOutcome asked = libprof(beside, "libprof", "--for", "1s", "--function", "clock_nanosleep");
        assertThat(asked.exitCode()).as(asked.err()).isEqualTo(69);
        assertThat(asked.err()).contains("no uprobes: ", "run it on the host");
        NaklabOutcome sampled = libprof(beside, "libprof", "--for", "1s");
        assertThat(sampled.exitCode()).as(sampled.err()).isZero();
        assertThat(sampled.out().replaceAll("\\s+", " "))
                .contains("Measured by samples of waiting threads for ")
                .contains("no uprobes: ");
    }

    /** The calendar links a page that is kept at once. */
    @Test
    void shouldPutAPageThatIsKeptIntoTheCalendar() throws Exception {
        Path runs = Files.createDirectory(directory.resolve("runs"));
        NaklabOutcome outcome = libprof("libprof", "--keep", "--runs", runs.toString(), "--", "true");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        String calendar = Files.readString(runs.resolve("index.html"));
        assertThat(calendar).containsPattern("href=\"libprof/[^\"]*-true/report\\.html\"");
    }

    /** Neither the recorder nor what the lab itself starts. */
    @Test
    void shouldAccountForTheStartedProgramOnly() throws Exception {
        assumeBpf();
        NaklabOutcome outcome =
                libprof("libprof", "--system", "--json", "--", compile("-fplt").toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.document().path("system").path("threads"))
                .extracting(thread -> thread.path("name").asText())
                .containsOnly("program");
    }

    @Test
    void shouldPutThePageOfBindingsIntoTheCalendar() throws Exception {
        Path runs = Files.createDirectory(directory.resolve("runs"));
        NaklabOutcome outcome = libprof(
                "bindings",
                "--keep",
                "--runs",
                runs.toString(),
                compile("-fplt").toString());
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(Files.readString(runs.resolve("index.html")))
                .containsPattern("href=\"bindings/[^\"]*-program/report\\.html\"");
    }
}
