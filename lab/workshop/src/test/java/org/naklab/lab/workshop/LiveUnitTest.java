package org.naklab.lab.workshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.workshop.live.LiveCases;
import org.naklab.lab.workshop.seal.Seal;
import org.naklab.lab.workshop.seal.SealScan;

/** What a live unit makes of that which a run leaves. */
@Timeout(180)
final class LiveUnitTest {
    private static final Path CORPUS = Path.of("..", "cases", "src", "main", "cases");
    private static final Path UNITS = Path.of("src", "main", "units");
    private static final int NEIGHBOURS = 12;
    private static final String SAMPLES = "samples.csv.gz";

    @TempDir
    private Path directory;

    /**
     * Leaves the files of an earlier run, as a run does: its case with the truth, and its record beside it.
     *
     * @param only the case that the machine can make; empty: all that are of runs
     * @param moreSamples lines that the run leaves as well
     */
    private record EarlierRuns(String only, List<String> moreSamples) implements LiveCases {
        @Override
        public boolean canMake(Path like) {
            return Files.exists(like.resolve(Truth.NAME)) && (only.isEmpty() || like.endsWith(only));
        }

        @Override
        public Path make(Path like, Draw draw, Path directory) {
            try {
                assertThat(Files.getPosixFilePermissions(directory.getParent()))
                        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
                Path made = Files.createDirectory(directory.resolve(CaseReader.DIRECTORY));
                try (Stream<Path> files = Files.list(like)) {
                    for (Path file :
                            files.filter(each -> !each.endsWith(Expected.NAME)).toList()) {
                        Files.copy(file, made.resolve(file.getFileName()));
                    }
                }
                Files.copy(like.resolve(Truth.NAME), directory.resolve("run.json"));
                add(made.resolve(SAMPLES));
                return made;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void add(Path samples) throws IOException {
            byte[] before;
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(samples))) {
                before = in.readAllBytes();
            }
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(samples))) {
                out.write(before);
                out.write(String.join("", moreSamples).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private record Noted(List<Draw> draws) implements LiveCases {
        @Override
        public boolean canMake(Path like) {
            return true;
        }

        @Override
        public Path make(Path like, Draw draw, Path directory) {
            draws.add(draw);
            throw new UnavailableException("the machine disturbed the run");
        }
    }

    private record Refused() implements LiveCases {
        @Override
        public boolean canMake(Path like) {
            return true;
        }

        @Override
        public Path make(Path like, Draw draw, Path directory) {
            throw new UnavailableException("the machine disturbed the run");
        }
    }

    private Workshop open() {
        return Workshop.open(directory, CORPUS, UNITS, "ada");
    }

    private Path unitDirectory(String unit) {
        Workshop workshop = open();
        return workshop.caseDirectory(workshop.unit(unit)).resolveSibling(".").normalize();
    }

    /** No byte of any file names a cause, a kind of fault or a scenario, and the files of the run are gone. */
    @ParameterizedTest
    @ValueSource(strings = {"9", "16"})
    void shouldSealWhatARunLeaves(String unit) throws InterruptedException, IOException {
        Workshop workshop = open();
        SealScan scan = SealScan.of(CORPUS);
        EarlierRuns runs = new EarlierRuns("", List.of());
        long possible = workshop.unit(unit).settings().cases().stream()
                .filter(each -> runs.canMake(CORPUS.resolve(each.name())))
                .count();
        assertThat(possible).isGreaterThan(3);
        for (int i = 0; i < possible; i++) {
            Session session = workshop.startLive(unit, true, runs);
            assertThat(scan.findings(unitDirectory(unit))).isEmpty();
            try (Stream<Path> files = Files.list(unitDirectory(unit))) {
                assertThat(files.map(file -> String.valueOf(file.getFileName())))
                        .containsExactlyInAnyOrder("case", Session.NAME);
            }
            assertThat(session.seal())
                    .isEqualTo(Seal.sha256(Files.readAllBytes(
                            unitDirectory(unit).resolve("case").resolve(SealedCase.SEALED))));
        }
    }

    /** Cause, seed and rate follow from the key, the trainee and the unit: neighbours have others, and who asks again for the same has the same. */
    @Test
    void shouldDrawSeedAndRateForEachTrainee() throws InterruptedException {
        Set<Long> seeds = new TreeSet<>();
        Set<Integer> rates = new TreeSet<>();
        for (int i = 0; i < NEIGHBOURS; i++) {
            List<LiveCases.Draw> draws = new ArrayList<>();
            Workshop own = Workshop.open(directory, CORPUS, UNITS, "trainee-" + i);
            assertThatThrownBy(() -> own.startLive("9", false, new Noted(draws)))
                    .isInstanceOf(UnavailableException.class);
            assertThatThrownBy(() -> own.startLive("9", false, new Noted(draws)))
                    .isInstanceOf(UnavailableException.class);
            assertThat(draws).hasSize(2).containsOnly(draws.get(0));
            assertThat(draws.get(0).ratePercent()).isBetween(60, 100);
            seeds.add(draws.get(0).seed());
            rates.add(draws.get(0).ratePercent());
        }
        assertThat(seeds).hasSizeGreaterThan(NEIGHBOURS - 2);
        assertThat(rates).hasSizeGreaterThan(NEIGHBOURS / 2);
    }

    /** The unit goes on as with a recorded case, and the debrief has the events of the injector. */
    @Test
    void shouldGoOnAsWithARecordedCase() throws InterruptedException {
        Workshop workshop = open();
        workshop.startLive("9", false, new EarlierRuns("mystery-b", List.of()));
        assertThat(workshop.evidence(View.LOGS, EvidenceFilter.ALL)).anyMatch(line -> line.contains("WAKE_FAILED"));
        assertThat(workshop.ask("ld-bind-now")).contains("longest stall of mds none");
        Unit.Solution solution = workshop.solution();
        workshop.evidence(View.LINKER, EvidenceFilter.ALL);
        Grade grade = workshop.answer(new Answer(
                solution.cause(),
                solution.at(),
                solution.because().stream()
                        .map(fact -> workshop.cite(fact, solution.at()))
                        .toList(),
                Map.of(),
                solution.remedy(),
                100));
        assertThat(grade.score()).isEqualTo(Grade.FULL - 2 * Grader.RULED_OUT);
        assertThat(workshop.debrief())
                .anyMatch(line -> line.contains("a run of this machine"))
                .anyMatch(line -> line.contains("lazy-binding: the first yield bound sched_yield"));
    }

    @Test
    void shouldKeepWhatWasThereIfTheRunComesToNothing() {
        Workshop workshop = open();
        workshop.start("9", false);
        Session before = workshop.current();
        assertThatThrownBy(() -> workshop.startLive("9", true, new Refused()))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("the machine disturbed the run");
        assertThat(workshop.current()).isEqualTo(before);
        assertThat(workshop.evidence(View.LOGS, EvidenceFilter.ALL)).isNotEmpty();
        assertThat(unitDirectory("9").resolve("run")).doesNotExist();
    }

    @Test
    void shouldOfferTheRecordedCaseIfTheMachineCanMakeNone() {
        assertThatThrownBy(() -> open().startLive("9", false, new EarlierRuns("no-such-case", List.of())))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("leave out --live for a recorded case");
    }

    /** What no rule makes neutral is found before the trainee has it. */
    @Test
    void shouldRefuseARunThatNamesItsCause() {
        EarlierRuns telling =
                new EarlierRuns("mystery-a", List.of("10913959337928,thread.mds.rate-limit-yield.runNs,1\n"));
        assertThatThrownBy(() -> open().startLive("9", false, telling))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("would have given its cause away")
                .hasMessageNotContaining("rate-limit-yield");
        assertThat(unitDirectory("9").resolve("case")).doesNotExist();
    }

    /** The files of a run whose lab was killed do not stay. */
    @Test
    void shouldDeleteWhatAKilledRunHasLeft() throws IOException, InterruptedException {
        Path left = Files.createDirectories(unitDirectory("9").resolve("run/run"));
        Files.writeString(left.resolve("mds.json"), "{\"kind\":\"lazy-binding\"}");
        open().startLive("9", false, new EarlierRuns("", List.of()));
        assertThat(SealScan.of(CORPUS).findings(unitDirectory("9"))).isEmpty();
    }
}
