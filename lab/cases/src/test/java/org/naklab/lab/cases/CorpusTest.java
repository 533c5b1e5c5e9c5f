package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;

/** Judges the recorded cases of the corpus; {@code naklab case keep} adds one. */
@Timeout(120)
final class CorpusTest {
    private static final Path CORPUS = Path.of("src/main/cases");
    private static final int LEAST_CASES = 80;
    private static final int LEAST_CASES_OF_A_CAUSE = 2;
    private static final long MOST_BYTES = 200 * 1024;

    private static List<Path> cases() throws IOException {
        try (Stream<Path> directories = Files.list(CORPUS)) {
            return directories.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static Diagnosis judge(Path directory) {
        try (CaseReader reader = CaseReader.open(directory)) {
            return Judgement.of(reader.read(), reader.truth()).diagnosis();
        }
    }

    private static Expected expected(Path directory) {
        return Json.read(directory.resolve(Expected.NAME), Expected.class);
    }

    @Test
    void shouldGiveEachCaseItsRightAnswer() throws IOException {
        List<String> table = new ArrayList<>(List.of("| case | expected | given | |", "|---|---|---|---|"));
        List<String> wrong = new ArrayList<>();
        for (Path directory : cases()) {
            Diagnosis given = judge(directory);
            List<String> differences = expected(directory).differences(given);
            table.add(String.format(
                    "| %s | %s | %s, %s | %s |",
                    directory.getFileName(),
                    expected(directory).text(),
                    given.cause().label(),
                    given.confidence().label(),
                    differences.isEmpty() ? "right" : "WRONG"));
            differences.forEach(line -> wrong.add(directory.getFileName() + ": " + line));
        }
        Files.createDirectories(Path.of("target"));
        Files.write(Path.of("target", "corpus.md"), table);

        assertThat(wrong).as(String.join("\n", table)).isEmpty();
        assertThat(cases()).hasSizeGreaterThanOrEqualTo(LEAST_CASES);
    }

    @Test
    void shouldHaveTwoCasesOfEachCause() throws IOException {
        Map<Cause, Integer> cases = new EnumMap<>(Cause.class);
        for (Path directory : cases()) {
            expected(directory).causes().distinct().forEach(cause -> cases.merge(cause, 1, Integer::sum));
        }
        List<Cause> missing = Stream.of(Cause.values())
                .filter(cause -> cases.getOrDefault(cause, 0) < LEAST_CASES_OF_A_CAUSE)
                .toList();

        assertThat(missing).isEmpty();
    }

    @Test
    void shouldKeepTheCasesSmallAndTheTruthApart() throws IOException {
        Set<String> files = Set.of(
                CaseDocument.NAME, CaseReader.EVENTS, CaseReader.READINGS, Truth.NAME, Expected.NAME, "samples.csv.gz");
        for (Path directory : cases()) {
            try (Stream<Path> all = Files.list(directory)) {
                List<Path> kept = all.toList();
                assertThat(kept)
                        .as(directory.toString())
                        .allMatch(file -> files.contains(file.getFileName().toString()));
                assertThat(kept.stream()
                                .mapToLong(file -> file.toFile().length())
                                .sum())
                        .as("bytes of " + directory)
                        .isLessThanOrEqualTo(MOST_BYTES);
            }
            assertThat(expected(directory).about()).as("about in " + directory).isNotEmpty();
        }
    }

    @Test
    void shouldHaveNoWordOfTheInjectorAmongTheEvents() throws IOException {
        for (Path directory : cases()) {
            try (CaseReader reader = CaseReader.open(directory)) {
                Case evidence = reader.read();
                assertThat(ObservedEvents.of(evidence.events()))
                        .as(directory.toString())
                        .isEqualTo(evidence.events());
            }
        }
    }

    /** A right answer must be able to be wrong. */
    @Test
    void shouldTellADifferentAnswer() throws IOException {
        Path first = cases().get(0);
        Diagnosis given = judge(first);
        Cause other = given.cause() == Cause.CLEAN ? Cause.LOCK_WAIT : Cause.CLEAN;

        assertThat(Expected.of("", given).differences(given)).isEmpty();
        assertThat(new Expected("", other.label(), "certain", List.of()).differences(given))
                .anyMatch(line -> line.contains("expected " + other.label()));
        assertThat(new Expected("", given.cause().label(), "cannot tell", List.of(Cause.SLOW_CALLBACK.label()))
                        .differences(given))
                .containsExactly("slow-callback is not named, expected beside "
                        + given.cause().label());
    }
}
