package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.Installation;

/** The disturbances that are delivered with the lab. */
@Timeout(60)
final class DeliveredDisturbancesTest {
    /** Words of the contract that a diagnosis can use beside those of {@link Cause}. */
    private static final Set<String> WORDS = Set.of(
            "process-frozen",
            "process-traced",
            "cpu-throttled",
            "lock-wait",
            "file-lock-wait",
            "disk-wait",
            "blocking-call",
            "busy-thread",
            "memory-pressure",
            "vm-operation",
            "time-to-safepoint",
            "late-binding",
            "sender-paused");

    @Test
    void shouldContainPairsAndControls() {
        assertThat(disturbances()).hasSizeGreaterThan(20);
        assertThat(disturbances()).anyMatch(each -> each.truth().causes().size() > 1);
        assertThat(disturbances()).anyMatch(each -> each.acceptedCauses().equals(Set.of("clean")));
    }

    @ParameterizedTest
    @MethodSource("disturbances")
    void shouldDeclareWordsOfTheContract(Disturbance disturbance) {
        Set<String> known = Arrays.stream(Cause.values()).map(Cause::label).collect(Collectors.toSet());
        known.addAll(WORDS);
        assertThat(known).containsAll(disturbance.acceptedCauses());
        assertThat(disturbance.script().getFileName()).hasToString(disturbance.name());
    }

    /** What disturbs must not be what the lab injects, and must not know what the lab sees. */
    @ParameterizedTest
    @MethodSource("disturbances")
    void shouldShareNothingWithFaultsAndDiagnosis(Disturbance disturbance) throws IOException {
        assertThat(Files.readString(disturbance.script()).toLowerCase(Locale.ROOT))
                .doesNotContain("org.naklab", "diagnosis", "run.json", "timeline", "liblab", "naklab_audit");
    }

    @ParameterizedTest
    @MethodSource("disturbances")
    void shouldFitIntoARunOfUsualLength(Disturbance disturbance) {
        assertThat(disturbance.demands().lengthMs()).isLessThanOrEqualTo(4_500);
    }

    @Test
    void shouldDocumentEachDisturbance() throws IOException {
        String page = Files.readString(Installation.current().root().resolve("docs/notes/confusion-foreign.md"));
        assertThat(disturbances()).allSatisfy(each -> assertThat(page).contains("| `" + each.name() + "` |"));
    }

    private static List<Disturbance> disturbances() {
        Path directory = Disturbances.directory(Installation.current());
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(Files::isRegularFile).count())
                    .isEqualTo(Disturbances.of(List.of(directory), List.of()).size());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return Disturbances.of(List.of(directory), List.of());
    }
}
