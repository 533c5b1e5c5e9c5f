package org.naklab.lab.workshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.meaning.Meaning;
import org.naklab.lab.workshop.seal.Seal;
import org.naklab.lab.workshop.seal.SealScan;

@Timeout(120)
final class WorkshopTest {
    private static final Path CORPUS = Path.of("..", "cases", "src", "main", "cases");
    private static final Path UNITS = Path.of("src", "main", "units");

    @TempDir
    private Path directory;

    private Workshop workshop;

    @BeforeEach
    void open() {
        workshop = open("ada");
    }

    private Workshop open(String trainee) {
        return Workshop.open(directory, CORPUS, UNITS, trainee);
    }

    private static Answer nothing(String cause) {
        return new Answer(cause, null, List.of(), Map.of(), null, 50);
    }

    @Test
    void shouldHaveAtLeastFourteenUnitsThatAreRight() {
        assertThat(workshop.units()).hasSizeGreaterThanOrEqualTo(14);
        UnitCheck check = new UnitCheck(CORPUS);
        assertThat(workshop.units())
                .allSatisfy(
                        unit -> assertThat(check.problems(unit)).as(unit.name()).isEmpty());
    }

    /** Someone who always names a fault must be wrong now and then, and not in the same units. */
    @Test
    void shouldHaveNoFaultInOneDrawOfFive() {
        List<Double> healthy = workshop.units().stream()
                .map(unit -> unit.settings().cases().stream()
                        .mapToDouble(each -> each.solution().cause().equals("clean") ? 1 : 0)
                        .average()
                        .orElse(0))
                .toList();
        assertThat(healthy.stream().mapToDouble(each -> each).average().orElse(0))
                .isBetween(0.15, 0.3);
        assertThat(healthy.stream().filter(each -> each > 0).count()).isGreaterThan(healthy.size() / 2);
    }

    /** What the check of a unit demands is found missing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\\bcause: \\S+'|cause: process-paused|all its cases have the same cause",
                "'\\n *reruns:\\n *quiet-machine: \\S+'|''|no experiment separates suspects",
                "'quiet-machine: \\S+'|quiet-machine: no-such-case|there is no case no-such-case",
                "'remedied: \\S+'|remedied: process-paused-b|'by process-paused-b, which has the same cause'",
                "'quiet-machine: '|'other: '|which is no experiment of the unit"
            })
    void shouldRefuseUnitsThatDoNotSeparateSuspects(String what, String instead, String problem) throws IOException {
        Path original = UNITS.resolve("01-first-nak");
        Path folder = Files.createDirectories(directory.resolve("units/01-first-nak"));
        Files.copy(original.resolve(Unit.TEXTS), folder.resolve(Unit.TEXTS));
        Files.writeString(
                folder.resolve(Unit.SETTINGS),
                Files.readString(original.resolve(Unit.SETTINGS)).replaceAll(what, instead));
        Unit unit = UnitReader.read(directory.resolve("units")).get(0);
        assertThat(new UnitCheck(CORPUS).problems(unit)).anyMatch(found -> found.contains(problem));
    }

    @Test
    void shouldRefuseAUnitWithNeitherExperimentsNorAReason() {
        Unit unit = workshop.unit("11");
        Unit.Settings is = unit.settings();
        Unit silent = new Unit(
                unit.name(),
                new Unit.Settings(
                        is.title(),
                        is.minutes(),
                        is.level(),
                        is.needs(),
                        is.budget(),
                        is.suspects(),
                        is.cases(),
                        is.hints(),
                        is.experiments(),
                        "",
                        is.remedies()),
                unit.text());
        assertThat(new UnitCheck(CORPUS).problems(silent)).anyMatch(found -> found.contains("noExperiments"));
    }

    /** Neighbours get different cases, and the same trainee the same one. */
    @Test
    void shouldDrawACaseForEachTrainee() {
        Unit hunt = workshop.unit("16");
        Set<String> drawn = new TreeSet<>();
        IntStream.range(0, 12).forEach(i -> {
            Workshop own = open("trainee-" + i);
            own.start(hunt.name(), false);
            drawn.add(own.solution().cause());
        });
        assertThat(drawn).hasSizeGreaterThan(3);
        workshop.start(hunt.name(), false);
        Unit.Solution first = workshop.solution();
        for (int i = 0; i < hunt.settings().cases().size(); i++) {
            workshop.start(hunt.name(), true);
        }
        assertThat(workshop.solution()).isEqualTo(first);
    }

    @Test
    void shouldGiveNothingAwayInAnyFileOfATrainee() {
        SealScan scan = SealScan.of(CORPUS);
        for (Unit unit : workshop.units()) {
            workshop.start(unit.name(), false);
            assertThat(scan.findings(directory.resolve("ada").resolve(unit.name())))
                    .as(unit.name())
                    .isEmpty();
        }
    }

    /** The search must see what it searches for. */
    @Test
    void shouldFindAWordThatGivesTheCauseAway() throws IOException {
        workshop.start("1", false);
        Path files = workshop.caseDirectory(workshop.unit("1"));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(files.resolve("more.gz")))) {
            out.write("a line\nprocess-paused\n{\"type\":\"SLOW_CALLBACK\"}\nA page: Major Fault\n"
                    .getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(files.resolve("lock-wait.txt"), "");
        assertThat(SealScan.of(CORPUS).findings(files))
                .anyMatch(finding -> finding.startsWith("more.gz: 'process-paused'"))
                .anyMatch(finding -> finding.startsWith("more.gz: 'slow-callback'"))
                .anyMatch(finding -> finding.startsWith("more.gz: 'major-fault'"))
                .anyMatch(finding -> finding.startsWith("lock-wait.txt"));
    }

    @Test
    void shouldRefuseASealThatWasChanged() throws IOException {
        workshop.start("1", false);
        Path sealed = workshop.caseDirectory(workshop.unit("1")).resolve(SealedCase.SEALED);
        byte[] bytes = Files.readAllBytes(sealed);
        bytes[bytes.length / 2] ^= 1;
        Files.write(sealed, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        assertThatThrownBy(() -> workshop.ask("run-queue"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("was changed");
    }

    /** An older version sealed less. */
    @Test
    void shouldAskToStartAgainWhatAnotherVersionSealed() throws IOException {
        Unit unit = workshop.unit("1");
        workshop.start("1", false);
        Files.write(
                workshop.caseDirectory(unit).resolve(SealedCase.SEALED),
                Seal.ofFile(directory.resolve(Workshop.KEY))
                        .close("{}".getBytes(StandardCharsets.UTF_8), "seal", "ada", unit.name()));
        assertThatThrownBy(() -> workshop.ask("run-queue"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("start the unit again with --again");
    }

    @Test
    void shouldTakeTheFirstAnswerOnly() {
        workshop.start("1", false);
        workshop.answer(nothing("cannot-tell"));
        assertThatThrownBy(() -> workshop.answer(nothing("clean")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("was answered already");
        assertThatThrownBy(() -> workshop.start("1", false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--again");
    }

    @Test
    void shouldShowTheSolutionOnlyAfterTheAnswer() {
        workshop.start("1", false);
        assertThatThrownBy(() -> workshop.debrief())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("was not answered yet");
        String cause = workshop.solution().cause();
        workshop.answer(nothing("cannot-tell"));
        assertThat(workshop.debrief()).anyMatch(line -> line.startsWith("The cause     " + cause));
    }

    @Test
    void shouldSellEvidenceOnce() {
        workshop.start("1", false);
        int budget = workshop.left(workshop.current());
        workshop.evidence(View.SCHEDULER, EvidenceFilter.ALL);
        workshop.evidence(View.SCHEDULER, EvidenceFilter.ALL);
        workshop.ask("run-queue");
        workshop.ask("run-queue");
        assertThat(workshop.left(workshop.current()))
                .isEqualTo(budget - View.SCHEDULER.cost() - Workshop.MEASUREMENT_COST);
        workshop.evidence(View.STATISTICS, EvidenceFilter.ALL);
        assertThat(workshop.left(workshop.current()))
                .isEqualTo(budget - View.SCHEDULER.cost() - Workshop.MEASUREMENT_COST);
    }

    @Test
    void shouldSellNothingToWhoHasNoPointsLeft() {
        workshop.start("5", false);
        assertThatThrownBy(() -> {
                    for (Measurement measurement : Measurement.values()) {
                        workshop.ask(measurement.label());
                    }
                })
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("are left: answer with what you have");
    }

    /** A hint is about what was not looked at yet. */
    @Test
    void shouldGiveHintsForWhatWasNotLookedAt() {
        workshop.start("1", false);
        assertThat(workshop.hint()).hasValueSatisfying(hint -> assertThat(hint).contains("statistics"));
        workshop.start("1", true);
        workshop.evidence(View.STATISTICS, EvidenceFilter.ALL);
        assertThat(workshop.hint()).hasValueSatisfying(hint -> assertThat(hint).contains("logs"));
    }

    /** Nobody pays twice for the same words. */
    @Test
    void shouldGiveEachHintOnce() {
        workshop.start("1", false);
        Set<String> given = new TreeSet<>();
        int hints = workshop.unit("1").settings().hints().size();
        for (int i = 0; i < hints; i++) {
            assertThat(workshop.hint())
                    .hasValueSatisfying(hint -> assertThat(given.add(hint)).isTrue());
        }
        assertThat(workshop.hint()).isEmpty();
        assertThat(workshop.current().hints()).hasSize(hints);
    }

    /** Several people use one directory in a room. */
    @Test
    void shouldKeepTraineesApart() {
        workshop.start("1", false);
        Workshop bo = open("bo");
        bo.start("5", false);
        bo.evidence(View.LOGS, EvidenceFilter.ALL);
        assertThat(workshop.current().unit()).startsWith("01-");
        assertThat(workshop.current().looked()).isEmpty();
        assertThat(bo.current().unit()).startsWith("05-");
        assertThat(workshop.session(workshop.unit("5"))).isEmpty();
    }

    @Test
    void shouldAnswerARerunFromARecordedCase() {
        workshop.start("9", false);
        assertThat(workshop.ask("ld-bind-now")).contains("longest stall of mds none", "0 datagrams dropped");
        assertThat(workshop.ask("bigger-buffer")).contains("longest stall of mds 150", "0 datagrams dropped");
    }

    @Test
    void shouldRefuseFactsThatTheCaseDoesNotHave() {
        workshop.start("1", false);
        Answer answer = new Answer("clean", null, List.of("e999999"), Map.of(), null, 50);
        assertThatThrownBy(() -> workshop.answer(answer))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("neither an event nor a statistic");
    }

    /** What nobody recorded is no evidence that one could pay for. */
    @Test
    void shouldSellNothingThatNobodyLookedAt() {
        startWithCase("4", "watch-mutex-foreign");
        int budget = workshop.left(workshop.current());
        assertThat(workshop.ask("callbacks")).contains("nobody looked at it");
        assertThat(workshop.left(workshop.current())).isEqualTo(budget);
        workshop.ask("locks");
        assertThat(workshop.left(workshop.current())).isEqualTo(budget - Workshop.MEASUREMENT_COST);
    }

    /** Only the first answer counts, so that a slip of the pen must not be one. */
    @Test
    void shouldRefuseAnAnswerThatIsASlip() {
        workshop.start("1", false);
        assertThatThrownBy(() -> workshop.answer(nothing("disk-wait")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is no answer of this unit: choose process-paused");
        assertThatThrownBy(() -> workshop.answer(without("run-queue", "0.1")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'naklab workshop ask run-queue' gives its figure");
        String figure = workshop.ask("run-queue");
        assertThatThrownBy(() -> workshop.answer(without("run-queue", "98765.4321")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(figure);
        assertThat(workshop.current().answer()).isNull();
    }

    /** A remedy is replayed from what was recorded with it, or without the cause. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1|process-paused-a|find-who-stops|it mends the cause; replayed without the cause, at the same load or a higher one, longest stall of mds none",
                "1|process-paused-a|bigger-buffer|it does not touch the cause",
                "9|mystery-a|bind-now|replayed with the same load, longest stall of mds none; mds: 0 datagrams dropped",
                "9|mystery-a|bigger-buffer|replayed with the same load, longest stall of mds 150",
                "11|watch-pipe-foreign|move-work-off|no run without the cause was recorded"
            })
    void shouldReplayTheRemedyInTheDebrief(String unit, String caseName, String remedy, String told) {
        startWithCase(unit, caseName);
        workshop.answer(new Answer("cannot-tell", null, List.of(), Map.of(), remedy, 50));
        assertThat(workshop.debrief())
                .filteredOn(line -> line.startsWith("Your remedy   "))
                .singleElement()
                .satisfies(line -> assertThat(line).contains(remedy + ": ", told));
    }

    private static Answer without(String measurement, String figure) {
        return new Answer("clean", null, List.of(), Map.of(measurement, figure), null, 50);
    }

    private void startWithCase(String unit, String caseName) {
        Unit wanted = workshop.unit(unit);
        String cause = wanted.settings().cases().stream()
                .filter(each -> each.name().equals(caseName))
                .map(each -> each.solution().cause())
                .findFirst()
                .orElseThrow();
        workshop.start(unit, false);
        while (!workshop.solution().cause().equals(cause)) {
            workshop.start(unit, true);
        }
    }

    /** Who reads evidence finds a sentence for each word of it. */
    @Test
    void shouldExplainEveryWordThatATraineeReads() {
        for (View view : View.values()) {
            for (TimelineEventType type : TimelineEventType.values()) {
                if (view.shows(type)) {
                    assertThat(Meaning.of(type)).as("%s", type).isNotBlank();
                }
            }
        }
        for (Cause cause : Cause.values()) {
            assertThat(Meaning.of(cause)).as("%s", cause).isNotBlank();
        }
        for (Unit unit : workshop.units()) {
            workshop.start(unit.name(), false);
            Evidence evidence = workshop.look(View.STATISTICS, EvidenceFilter.ALL);
            assertThat(evidence.maxima().keySet())
                    .allSatisfy(
                            name -> assertThat(Meaning.ofReading(name)).as(name).isNotBlank());
            assertThat(evidence.facts().receivers().get(0).counters().keySet())
                    .allSatisfy(
                            name -> assertThat(Meaning.ofCounter(name)).as(name).isNotBlank());
            assertThat(workshop.evidence(View.STATISTICS, EvidenceFilter.ALL))
                    .anyMatch(line -> line.startsWith("  dropped: "))
                    .noneMatch(line -> line.contains("control="));
            assertThat(workshop.evidence(View.PACKETS, EvidenceFilter.ALL)).allMatch(line -> line.length() <= 110);
        }
    }

    @Test
    void shouldRefuseNamesThatLeaveTheDirectory() {
        for (String name : new String[] {"../eve", "..", ".", "_benchmark", "workshop.key", "a/b", ""}) {
            assertThatThrownBy(() -> open(name)).as(name).isInstanceOf(UsageException.class);
        }
        assertThatThrownBy(() -> workshop.start("../1", false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("there is no unit");
    }
}
