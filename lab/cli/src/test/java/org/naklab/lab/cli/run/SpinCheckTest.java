package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.replica.transport.IdleMode;

@Timeout(60)
final class SpinCheckTest {
    @Test
    void shouldWarnOfMoreSpinningThreadsThanProcessors() {
        assertThat(SpinCheck.note(IdleMode.SPIN, 2)).hasValueSatisfying(note -> assertThat(note)
                .startsWith("--idle spin: 7 threads")
                .contains("this machine has 2 CPUs", "none may be published"));
        assertThat(SpinCheck.note(IdleMode.SPIN, 8)).isEmpty();
        assertThat(SpinCheck.note(IdleMode.BACKOFF, 2)).isEmpty();
    }
}
