package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.Suspect;

/** The suspects of the incident in recorded runs of it: whoever did nothing is ruled out by a figure of its own, and nobody else. */
@Timeout(120)
final class AcquittalTest {
    private static final Path CORPUS = Path.of("src/main/cases");
    private static final int SUSPECTS = 14;
    private static final String NOBODY = "";
    private static final String PAGES = "page fault or memory reclaim";

    @ParameterizedTest
    @CsvSource(
            emptyValue = NOBODY,
            value = {
                "mystery-a, ''",
                "mystery-b, ''",
                "mystery-c, ''",
                "mystery-d, ''",
                "mystery-bindnow, ''",
                "mystery-apprate, ''",
                "mystery-bigger, ''",
                "mystery-simulated-b, ''",
                "late-binding-evicted-a, " + PAGES,
                "late-binding-evicted-b, " + PAGES,
                "late-binding-evicted-c, " + PAGES,
                "late-binding-evicted-d, " + PAGES
            })
    void shouldRuleOutAllButTheCulprit(String name, String culprit) {
        List<Suspect> suspects = suspects(CORPUS.resolve(name));
        assertThat(suspects).hasSize(SUSPECTS).allSatisfy(suspect -> assertThat(suspect.figure())
                .containsPattern("[0-9]")
                .doesNotContain("not looked at"));
        assertThat(suspects.stream()
                        .filter(suspect -> !suspect.ruledOut())
                        .map(Suspect::name)
                        .toList())
                .isEqualTo(culprit.isEmpty() ? List.of() : List.of(culprit));
    }

    private static List<Suspect> suspects(Path directory) {
        try (CaseReader reader = CaseReader.open(directory)) {
            Diagnosis diagnosis = Judgement.of(reader.read(), reader.truth()).diagnosis();
            return diagnosis.suspects();
        }
    }
}
