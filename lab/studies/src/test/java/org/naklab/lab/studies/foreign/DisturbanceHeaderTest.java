package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.account.AccountKind;

@Timeout(60)
final class DisturbanceHeaderTest {
    private static final String HEADER = """
            #!/bin/sh
            # naklab-foreign: 1
            # name: frozen-lake
            # summary: Freezes: everything
            # disturbs: service
            # causes: process-frozen, process-paused & cpu-preemption
            # kinds: frozen, stopped
            # verdicts: fail
            # needs: root, a lake
            # length-ms: 400
            # rate: 40000

            # name: later comments are no header
            exit 0
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldReadAllKeys() {
        Path script = Scripts.write(directory, "lake", HEADER);
        assertThat(DisturbanceHeader.read(script))
                .contains(new Disturbance(
                        "frozen-lake",
                        "Freezes: everything",
                        "service",
                        new Disturbance.Truth(
                                List.of(Set.of("process-frozen", "process-paused"), Set.of("cpu-preemption")),
                                Set.of(AccountKind.FROZEN, AccountKind.STOPPED),
                                Set.of("fail")),
                        new Disturbance.Demands(List.of("root", "a lake"), 400, 40_000L),
                        Target.RUN,
                        script));
    }

    @Test
    void shouldTakeUsualVerdictsAndAnyRateWithoutAsking() {
        Disturbance disturbance = DisturbanceHeader.read(
                        Scripts.write(directory, "lake", without(without(HEADER, "verdicts"), "rate")))
                .orElseThrow();
        assertThat(disturbance.truth().verdicts()).containsExactlyInAnyOrder("pass", "fail");
        assertThat(disturbance.demands().rate()).isNull();
    }

    @Test
    void shouldReadTargetWatch() {
        assertThat(DisturbanceHeader.read(
                                Scripts.write(directory, "lake", HEADER.replace("# rate: 40000", "# target: watch")))
                        .orElseThrow()
                        .target())
                .isEqualTo(Target.WATCH);
    }

    @Test
    void shouldTakeKindsAloneAsTruth() {
        Disturbance disturbance = DisturbanceHeader.read(Scripts.write(directory, "lake", without(HEADER, "causes")))
                .orElseThrow();
        assertThat(disturbance.truth().causes()).isEmpty();
        assertThat(disturbance.truth().kinds()).hasSize(2);
    }

    @Test
    void shouldPassOverFilesWithoutHeader() {
        assertThat(DisturbanceHeader.read(Scripts.write(directory, "library", "# name: no\nexit 0\n")))
                .isEmpty();
        assertThat(DisturbanceHeader.read(Scripts.write(directory, "empty", "")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    # naklab-foreign: 1  | # naklab-foreign: 2   | header version 2 is not known
                    # name: frozen-lake  | # name: Frozen Lake   | has the name 'Frozen Lake'
                    # name: frozen-lake  | # name:               | has no name
                    # length-ms: 400     | # length-ms: soon     | has length-ms 'soon', which is not a whole number
                    # length-ms: 400     | # length-ms: 0        | has length-ms 0, which is not from 1 to 60000
                    # length-ms: 400     | # length-ms: 60001    | which is not from 1 to 60000
                    # kinds: frozen      | # kinds: solid        | has 'solid', which is not a kind of the account
                    # verdicts: fail     | # verdicts: maybe     | has 'maybe', which is not a verdict
                    & cpu-preemption     | &                     | has an empty cause
                    & cpu-preemption     | & CPU preemption      | has 'CPU preemption', which is not a cause
                    # rate: 40000        | # speed: 40000        | has the unknown key 'speed'
                    # rate: 40000        | # name: twice         | has name twice
                    # rate: 40000        | # target: moon        | has 'moon', which is not a target
                    # length-ms: 400     | # length-ms: 400\n# target: watch | has a rate, but the script has a sender of its own
                    """)
    void shouldRefuseWhatItDoesNotUnderstand(String right, String wrong, String expected) {
        Path script = Scripts.write(directory, "lake", HEADER.replace(right, wrong));
        assertThatThrownBy(() -> DisturbanceHeader.read(script))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(script.toString())
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource({"name", "summary", "disturbs", "needs", "length-ms"})
    void shouldRefuseHeaderWithoutRequiredKey(String key) {
        Path script = Scripts.write(directory, "lake", without(HEADER, key));
        assertThatThrownBy(() -> DisturbanceHeader.read(script))
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith("the header has no " + key);
    }

    @Test
    void shouldRefuseDisturbanceWithoutTruth() {
        Path script = Scripts.write(directory, "lake", without(without(HEADER, "causes"), "kinds"));
        assertThatThrownBy(() -> DisturbanceHeader.read(script)).hasMessageContaining("declares no truth");
    }

    @Test
    void shouldRefuseScriptThatCannotBeExecuted() throws Exception {
        Path script = Files.writeString(directory.resolve("lake"), HEADER);
        assertThatThrownBy(() -> DisturbanceHeader.read(script)).hasMessageEndingWith("is not executable");
    }

    @Test
    void shouldFindDisturbancesOfSeveralDirectoriesByName() throws Exception {
        Path more = Files.createDirectory(directory.resolve("more"));
        Scripts.write(directory, "lake", HEADER);
        Scripts.write(directory, "library", "exit 0\n");
        Scripts.write(more, "air", HEADER.replace("frozen-lake", "air"));
        assertThat(Disturbances.of(List.of(directory, more), List.of()))
                .extracting(Disturbance::name)
                .containsExactly("air", "frozen-lake");
        assertThat(Disturbances.of(List.of(directory, more), List.of("frozen-lake")))
                .extracting(Disturbance::name)
                .containsExactly("frozen-lake");
        assertThatThrownBy(() -> Disturbances.of(List.of(directory, more), List.of("fire")))
                .isInstanceOf(UsageException.class)
                .hasMessage("there is no disturbance 'fire'; there are: air, frozen-lake");
        Scripts.write(more, "again", HEADER);
        assertThatThrownBy(() -> Disturbances.of(List.of(directory, more), List.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("two disturbances of the name 'frozen-lake'");
    }

    private static String without(String header, String key) {
        return header.replaceAll("(?m)^# " + key + ": .*\n", "");
    }
}
