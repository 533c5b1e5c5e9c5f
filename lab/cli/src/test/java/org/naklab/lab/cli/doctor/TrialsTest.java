package org.naklab.lab.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.core.LabException;

/** What is made of what the containers said. */
@Timeout(60)
final class TrialsTest {
    @ParameterizedTest
    @CsvSource({
        "0,   137 16777216,  true,  a container that allocated 64 MiB under a limit of 16 was killed",
        "0,   137,           true,  a container that allocated 64 MiB under a limit of 16 was killed",
        "137, '',            true,  a container that allocated 64 MiB under a limit of 16 was killed",
        "0,   0 16777216,    true,  a container that allocated 64 MiB under a limit of 16 was held at the limit",
        "0,   0 70000000,    false, a container allocated 64 MiB under a limit of 16",
        "0,   0,             false, a container allocated 64 MiB under a limit of 16",
        "0,   127 0,         false, could not be tested: 127 0",
        "125, no such image, false, could not be tested: no such image",
    })
    void shouldJudgeAMemoryLimit(int exitCode, String output, boolean ok, String found) {
        CheckResult finding = MemoryLimitCheck.judge(new Docker.Result(exitCode, output));

        assertThat(finding.found()).isEqualTo(found);
        assertThat(finding.ok()).isEqualTo(ok);
        assertThat(finding.advice().isEmpty()).isEqualTo(ok);
    }

    /** A shell prints this on standard error, before or after the script's own line. */
    @ParameterizedTest
    @ValueSource(strings = {"Killed", "137 16777216\nKilled", "Killed\n137 16777216", "sh: line 1: 7 Killed"})
    void shouldTakeAKilledCommandForALimitThatWorks(String output) {
        CheckResult finding = MemoryLimitCheck.judge(new Docker.Result(0, output));

        assertThat(finding.ok()).as(finding.found()).isTrue();
        assertThat(MemoryLimitCheck.judge(new Docker.Result(1, output)).ok()).isTrue();
    }

    @Test
    void shouldReadPastTheEnginesWarnings() {
        String output = "WARNING: Your kernel does not support swap limit capabilities\n0 16777216";
        assertThat(MemoryLimitCheck.judge(new Docker.Result(0, output)).ok()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"5000, 20.5, true", "5000, 29, true", "5000, 31, false", "5000, 4800, false", "25, 19, false"})
    void shouldJudgeALimitOnReads(double free, double limited, boolean ok) {
        CheckResult finding = ReadThrottleCheck.judge("/dev/sda", free, limited);

        assertThat(finding.ok()).isEqualTo(ok);
        assertThat(finding.found())
                .startsWith("/dev/sda: ")
                .contains(" reads per second, ")
                .endsWith(" under a limit of 20");
    }

    @Test
    void shouldTimeReads() {
        assertThat(ReadThrottleCheck.perSecond(new Docker.Result(0, "2000000000")))
                .isEqualTo(20);
        assertThatThrownBy(() -> ReadThrottleCheck.perSecond(new Docker.Result(1, "dd: Invalid argument")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("Invalid argument");
    }

    @ParameterizedTest
    @EnumSource(ProcVisibilityCheck.Sight.class)
    void shouldBeBlindOnAnotherKernelWhateverIsSeenHere(ProcVisibilityCheck.Sight sight) {
        CheckResult finding = ProcVisibilityCheck.judge(false, sight);

        assertThat(finding.ok()).isFalse();
        assertThat(finding.advice()).contains("Docker Desktop");
    }

    @Test
    void shouldTellWhatIsNotAllowedFromWhatIsNotThere() {
        assertThat(ProcVisibilityCheck.judge(true, ProcVisibilityCheck.Sight.CLEAR)
                        .ok())
                .isTrue();
        assertThat(ProcVisibilityCheck.judge(true, ProcVisibilityCheck.Sight.FORBIDDEN)
                        .advice())
                .contains("CAP_SYS_PTRACE");
        assertThat(ProcVisibilityCheck.judge(true, ProcVisibilityCheck.Sight.NONE)
                        .found())
                .startsWith("blind");
    }
}
