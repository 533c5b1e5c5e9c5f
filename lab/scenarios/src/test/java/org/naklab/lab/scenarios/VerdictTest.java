package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class VerdictTest {
    @Test
    void shouldTakeTheWorst() {
        assertThat(Verdict.of(List.of(Verdict.PASS, Verdict.UNKNOWN, Verdict.FAIL)))
                .isEqualTo(Verdict.FAIL);
        assertThat(Verdict.of(List.of(Verdict.PASS, Verdict.UNKNOWN))).isEqualTo(Verdict.UNKNOWN);
        assertThat(Verdict.of(List.of(Verdict.PASS))).isEqualTo(Verdict.PASS);
    }

    @Test
    void shouldDoubtWhatWasNotChecked() {
        assertThat(Verdict.of(List.of())).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void shouldExitAsDocumented() {
        assertThat(Verdict.PASS.exitCode()).isZero();
        assertThat(Verdict.FAIL.exitCode()).isOne();
        assertThat(Verdict.UNKNOWN.exitCode()).isEqualTo(2);
    }
}
