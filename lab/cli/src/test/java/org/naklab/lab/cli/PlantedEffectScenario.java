package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.testing.Matrix;

/** Each benchmark of {@code naklab tune} finds an effect that is planted: an arm that does the same work in a way that is slower by a multiple on every machine. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class PlantedEffectScenario {
    /** Benchmarks of which a figure is looked at, and not the answer. */
    private static final Set<String> FEW = Set.of("roll", "descriptors", "journal");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "append|-Xint",
                "add|-Xint",
                "hand-over|-Dnaklab.tune.wait=sleep",
                "lock|-Dnaklab.tune.hold=60000",
                "write|-Dnaklab.tune.write=direct -Dnaklab.tune.block=4096",
                "collect|-XX:+UnlockDiagnosticVMOptions -XX:+VerifyBeforeGC"
            })
    void shouldFindThePlantedLoss(String benchmark, String settings) {
        JsonNode planted = planted(benchmark, settings);
        assertThat(planted.path("answer").asText()).as(planted.toString()).isEqualTo("hurts");
        assertThat(planted.path("effect").path("high").asDouble()).isNegative();
        assertThat(planted.path("missing")).isEmpty();
    }

    @Test
    void shouldFindALockWordAcrossTwoLines() {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "only x86 adds atomically across cache lines");
        JsonNode planted = planted("add", "-Dnaklab.tune.offset=60");
        assertThat(planted.path("answer").asText()).as(planted.toString()).isEqualTo("hurts");
        assertThat(planted.path("inEffect").toString()).contains("ends in the next one");
    }

    /** With small pages, nearly each read waits for the translation of its address. */
    @Test
    void shouldFindWhatHugePagesGive() throws IOException {
        Path enabled = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        assumeTrue(Files.exists(enabled), "this kernel has no transparent huge pages");
        assumeTrue(Files.readString(enabled).contains("[madvise]"), enabled + " is not madvise");
        JsonNode arms = arms("walk", "-XX:+UseTransparentHugePages");
        JsonNode huge = arms.get(1);
        assertThat(huge.path("answer").asText()).as(huge.toString()).isEqualTo("helps");
        assertThat(huge.path("effect").path("low").asDouble()).isPositive();
        assertThat(figure(huge, "huge pages at a fault")).isGreaterThanOrEqualTo(256);
        assertThat(figure(arms.get(0), "huge pages at a fault")).isLessThan(figure(huge, "huge pages at a fault") / 2);
        assertThat(huge.path("price").path("hugePageBytes").asLong()).isGreaterThanOrEqualTo(512 << 20);
        assertThat(arms.get(0).path("price").path("hugePageBytes").asLong()).isZero();
    }

    /** The first blocks of a file take 200 ms more; 20,000 events a second come in meanwhile. */
    @Test
    void shouldFindTheCostOfARoll() {
        JsonNode planted = planted("roll", "-Dnaklab.tune.roll=second -Dnaklab.tune.slow-begin=200");
        assertThat(figure(planted, "longest roll, µs")).isGreaterThan(200_000);
        assertThat(figure(planted, "messages waiting at a roll")).isGreaterThan(2_000);
    }

    /** The process may have half a processor's time, whatever it believes. */
    @Test
    void shouldFindAQuotaOfProcessorTime() throws IOException {
        assumeTrue(Files.isWritable(Path.of("/proc/sys/vm/stat_interval")), "only root can create a control group");
        JsonNode planted = planted("pipeline", "cpus:quota=0.3");
        assertThat(planted.path("answer").asText()).as(planted.toString()).isEqualTo("hurts");
        assertThat(figure(planted, "processors given, %")).isEqualTo(30);
        assertThat(figure(planted, "processors believed, %")).isEqualTo(100);
    }

    /** Without the advice, each fault of the journal's writer reads ahead of it. */
    @Test
    void shouldFindWhatTheKernelReadsAheadOfTheJournal() {
        JsonNode arms = arms("journal", "-Dnaklab.journal.random.access=false");
        assertThat(figure(arms.get(1), "read ahead of the writer, KiB")).isPositive();
        assertThat(figure(arms.get(0), "read ahead of the writer, KiB")).isZero();
    }

    @Test
    void shouldFindWhatIsLostWithoutDescriptors() {
        JsonNode planted = planted("descriptors", "limit:nofile=512");
        assertThat(planted.path("failures").toString()).isEqualTo("[]");
        assertThat(planted.path("inEffect").toString())
                .contains("Max open files: 512 512", "then none was left", "the journal is complete: 40000 events");
        assertThat(figure(planted, "events not derived")).isPositive();
        assertThat(figure(planted, "loss reported after, ms"))
                .as("it was reported")
                .isPositive();
    }

    /** A library that takes 256 MiB at the first malloc. */
    @Test
    void shouldFindTheMemoryOfAnAllocator() throws Exception {
        Path library = directory.resolve("libgreedy.so");
        Path source = Files.writeString(directory.resolve("greedy.c"), """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <stddef.h>
                #include <sys/mman.h>
                static void *(*next)(size_t);
                static void *waste;
                void *malloc(size_t bytes) {
                    if (!next) {
                        next = (void *(*)(size_t)) dlsym(RTLD_NEXT, "malloc");
                        waste = mmap(NULL, 256 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
                    }
                    return next(bytes);
                }
                """);
        Process cc = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .inheritIO()
                .start();
        assertThat(cc.waitFor()).isZero();
        JsonNode document = compare("add", "LD_PRELOAD=" + library, "1");
        assertThat(document.path("arms").get(1).path("inEffect").toString()).contains("libgreedy.so is mapped");
        assertThat(memoryBytes(document, 1) - memoryBytes(document, 0)).isGreaterThan(200 << 20);
    }

    /** The lock that is handed to the thread that has waited longest gives each thread its share. */
    @Test
    void shouldFindThatAFairLockIsFair() {
        JsonNode fair =
                compare("lock", "-Dnaklab.tune.lock=fair", "1").path("arms").get(1);
        assertThat(figure(fair, "share of the thread that took it least, % of a fair one"))
                .isGreaterThan(80);
    }

    private static double memoryBytes(JsonNode document, int arm) {
        return document.path("arms").get(arm).path("price").path("memoryBytes").asDouble();
    }

    private static double figure(JsonNode arm, String name) {
        for (JsonNode figure : arm.path("figures")) {
            if (figure.path("name").asText().equals(name)) {
                return figure.path("value").asDouble();
            }
        }
        throw new AssertionError("no figure " + name + " in " + arm);
    }

    private JsonNode planted(String benchmark, String settings) {
        return arms(benchmark, settings).get(1);
    }

    private JsonNode arms(String benchmark, String settings) {
        return compare(benchmark, settings, FEW.contains(benchmark) ? "1" : "15")
                .path("arms");
    }

    /** Enough for the figures; the pipeline needs longest for each. */
    private static String events(String benchmark) {
        return switch (benchmark) {
            // The position must be beyond what the kernel reads around the header of the file.
            case "journal" -> "200000";
            case "roll", "descriptors" -> "40000";
            case "pipeline" -> "10000";
            default -> "20000";
        };
    }

    private JsonNode compare(String benchmark, String settings, String rounds) {
        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "tune",
                        benchmark,
                        "--arm",
                        "planted=" + settings,
                        "--events",
                        events(benchmark),
                        "--rounds",
                        rounds,
                        "--measurements",
                        "1",
                        "--json")
                .outcome();
        assertThat(outcome.exitCode())
                .as("an answer, unless there was a single run: " + outcome.err())
                .isEqualTo(rounds.equals("1") ? 2 : 0);
        return outcome.document();
    }
}
