package org.naklab.lab.workshop.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.cases.CaseDocument;
import org.naklab.lab.cases.CaseReader;
import org.naklab.lab.cases.Expected;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.Scenarios;

/** Which recorded cases a live unit makes again. */
@Timeout(120)
final class LiveUnitsTest {
    private static final Path CORPUS = Installation.current().root().resolve("lab/cases/src/main/cases");

    @TempDir
    private Path directory;

    private boolean canMake(Path like) {
        return new LiveUnits(directory, new Cancellation()).canMake(like);
    }

    private static Optional<Truth> truth(Path like) {
        try (CaseReader reader = CaseReader.open(like)) {
            return reader.truth();
        }
    }

    private static List<Path> runs() throws IOException {
        try (Stream<Path> cases = Files.list(CORPUS)) {
            return cases.filter(each -> truth(each).isPresent()).toList();
        }
    }

    /** What a case was called says nothing; what others did to it, its scenario does not do again. */
    @Test
    void shouldBelieveTheTruthAndNotTheName() throws IOException {
        Path renamed = directory.resolve("process-paused-foreign");
        Files.createDirectory(renamed);
        for (String file : List.of(CaseDocument.NAME, Truth.NAME, Expected.NAME)) {
            Files.copy(CORPUS.resolve("process-paused-a").resolve(file), renamed.resolve(file));
        }
        assertThat(canMake(renamed)).isTrue();
        Json.write(
                renamed.resolve(Truth.NAME),
                truth(renamed).orElseThrow().disturbed("Somebody attached a debugger as well."));
        assertThat(canMake(renamed)).isFalse();
    }

    @Test
    void shouldMakeNoCaseToWhichOthersDidSomething() throws IOException {
        List<Path> disturbed = runs().stream()
                .filter(each -> !truth(each).orElseThrow().isOfLabAlone())
                .toList();
        assertThat(disturbed).hasSizeGreaterThan(20).noneMatch(this::canMake);
    }

    /** A case with a cause that neither a fault nor its scenario makes was made by somebody else, and its truth has to say so. */
    @Test
    void shouldKnowWhoMadeTheCauseOfEachRun() throws IOException {
        for (Path each : runs()) {
            Truth truth = truth(each).orElseThrow();
            String cause =
                    Json.read(each.resolve(Expected.NAME), Expected.class).cause();
            boolean isOfScenario = cause.equals("clean")
                    || Scenarios.find(truth.run().scenario()).stream()
                            .flatMap(scenario -> scenario.causes().keySet().stream())
                            .anyMatch(made -> made.label().equals(cause));
            boolean isOfLab = isOfScenario || !truth.faults().isEmpty();
            assertThat(isOfLab || !truth.isOfLabAlone())
                    .as("%s, %s", each, cause)
                    .isTrue();
        }
    }
}
