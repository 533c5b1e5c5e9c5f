package org.naklab.lab.tools.tune.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.CommandMeasurement;
import org.naklab.lab.tools.tune.Sample;

/** Observes short programs at each level that this machine has. */
@Timeout(120)
final class ObservationLevelTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @Test
    void shouldFindALevelByItsWord() {
        assertThat(ObservationLevel.values()).allSatisfy(level -> assertThat(ObservationLevel.of(level.label()))
                .isEqualTo(level));
        assertThatThrownBy(() -> ObservationLevel.of("full"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there are: none, proc, records, stacks, trace, calls, jfr");
    }

    /** The exit code is the program's own, whatever observes it; the proof says what was recorded. */
    @ParameterizedTest
    @EnumSource(value = ObservationLevel.class, mode = EnumSource.Mode.EXCLUDE, names = "JFR")
    void shouldObserveAProgramOfAnyLanguage(ObservationLevel level) throws InterruptedException {
        assumeThat(level.whyNot()).isEmpty();
        Sample sample = CommandMeasurement.of(List.of("sh", "-c", "read line || exit 1"), "exit")
                .measure(Arm.parse("a=observe:" + level.label()), 1);
        assertThat(sample.value()).isEqualTo(1);
        assertThat(sample.effect().missing()).isEmpty();
        assertThat(sample.effect().proof())
                .singleElement()
                .asString()
                .startsWith("observe:" + level.label() + ": ")
                .containsPattern(
                        switch (level) {
                            case PROC, RECORDS, STACKS -> "records of its threads: [0-9]";
                            case CALLS -> "[1-9][0-9,]* calls of library functions";
                            case TRACE -> "kernel trace of all CPUs";
                            default -> "nothing observed it";
                        });
    }

    /** The recording is of the program's JVM, also if the arm has options of its own. */
    @Test
    void shouldRecordAJvmFromItsStart() throws InterruptedException {
        Sample sample = CommandMeasurement.of(List.of(JAVA.toString(), "-version"), "exit")
                .measure(Arm.parse("a=observe:jfr JAVA_TOOL_OPTIONS=-Dnaklab.test=1"), 1);
        assertThat(sample.value()).isZero();
        assertThat(sample.effect().missing()).isEmpty();
        assertThat(sample.effect().proof())
                .contains("started with JAVA_TOOL_OPTIONS=-Dnaklab.test=1")
                .anyMatch(line -> line.matches("observe:jfr: .* of JFR"));
    }
}
