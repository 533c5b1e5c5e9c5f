package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** {@code naklab bindings} of the service of a mystery, before it yields for the first time and after it. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class BindingsScenario {
    private static final String LIBRARY = "libnaklab_yield.so";

    @TempDir
    private Path directory;

    @BeforeEach
    void assumeLibrary() {
        assumeTrue(NativeLibraries.unavailableReason().isEmpty(), "the native libraries are not built here");
    }

    /** A machine that is so busy that the first look comes after the first yield shows nothing: once more. */
    @Test
    void shouldSeeThatTheFirstYieldChangesExactlyOneSlot() throws IOException {
        List<String> bound = LiveRun.make("BindingsScenario", () -> boundByFirstYield(List.of()));
        assertThat(bound).containsExactly("sched_yield");
    }

    /**
     * The tables that are needed to bind and to unwind are not stripped: the slots are the same, and the stack in the timeline has the call site, the exported
     * function that made it, and what the dynamic linker did.
     */
    @Test
    void shouldSeeTheSameOfAStrippedLibrary() throws Exception {
        assumeThat(KernelRecorder.whyNot(RecorderSource.BPF)).isEmpty();
        Path libraries = Files.createDirectory(directory.resolve("stripped"));
        NativeLibraries.unpackTo(libraries);
        Path library = libraries.resolve(LIBRARY);
        assertThat(sections(library)).contains(".symtab");
        assertThat(exitCode("strip", "--strip-all", library.toString())).isZero();
        assertThat(sections(library)).doesNotContain(".symtab").contains(".dynsym", ".eh_frame");

        List<String> prefix = List.of("env", "JAVA_TOOL_OPTIONS=-Dnaklab.native.directory=" + libraries);
        List<String> bound = LiveRun.make("BindingsScenario", () -> boundByFirstYield(prefix));
        assertThat(bound).containsExactly("sched_yield");
        assertThat(Files.readString(NaklabProcess.latest(directory).resolve("timeline.jsonl")))
                .containsPattern(
                        "_dl_fixup[^\"]* < call of sched_yield through the PLT in libnaklab_yield\\.so\\+0x[0-9a-f]+ < "
                                + "Java_org_naklab_faults_binding_YieldLibrary_yieldOnce");
        assertThat(Files.readString(NaklabProcess.latest(directory).resolve("report.html")))
                .containsPattern("call of sched_yield through the PLT in libnaklab_yield\\.so\\+0x[0-9a-f]+");
    }

    private static String sections(Path library) throws Exception {
        Process readelf = new ProcessBuilder("readelf", "--section-headers", "--wide", library.toString()).start();
        return new String(readelf.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static int exitCode(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** Returns what the first yield has bound; nothing if it came too early to be seen. */
    private List<String> boundByFirstYield(List<String> prefix) throws IOException {
        try (NaklabProcess run = start(prefix)) {
            ProcessHandle service = awaitService(run);
            List<String> before = open(service);
            List<String> bound = new ArrayList<>();
            while (before.contains("sched_yield") && bound.isEmpty() && service.isAlive()) {
                bound.addAll(before);
                bound.removeAll(open(service));
            }
            run.awaitExit();
            return bound;
        }
    }

    @Test
    void shouldFindNothingOpenWithBindNow() throws IOException {
        try (NaklabProcess run = start(List.of(), "--remedy", "bind-now")) {
            JsonNode bindings = bindings(awaitService(run));
            assertThat(bindings.path("unbound").asInt()).isZero();
            assertThat(library(bindings).path("slots").asInt()).isPositive();
        }
    }

    private NaklabProcess start(List<String> prefix, String... options) {
        List<String> all = new ArrayList<>(List.of("--fidelity", "audited", "--verbose"));
        all.addAll(List.of(options));
        return NaklabProcess.runScenario(prefix, "mystery", directory, all.toArray(String[]::new));
    }

    /** The exchange is the last to be ready, and traffic flows after that. */
    private static ProcessHandle awaitService(NaklabProcess run) {
        run.await(
                "the processes",
                () -> run.err().contains("exchange      pid") || !run.handle().isAlive());
        return run.child("mds");
    }

    private List<String> open(ProcessHandle service) throws IOException {
        return StreamSupport.stream(library(bindings(service)).path("symbols").spliterator(), false)
                .map(symbol -> symbol.path("symbol").asText())
                .toList();
    }

    private static JsonNode library(JsonNode bindings) {
        return StreamSupport.stream(bindings.path("libraries").spliterator(), false)
                .filter(library -> library.path("file").asText().endsWith(LIBRARY))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode bindings(ProcessHandle service) throws IOException {
        Path own = Files.createTempDirectory(directory, "bindings");
        NaklabOutcome outcome = NaklabProcess.command(own, "bindings", Long.toString(service.pid()), "--json")
                .outcome();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return outcome.document();
    }
}
