package org.naklab.lab.studies.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ProofTest {
    private static final long MS = 1_000_000;
    private static final Proof FROZEN = new Proof(true, "state D", 2_000 * MS, 2_400 * MS, Set.of(), Set.of());

    /** On a busy machine, a script may take longer than the flow to do what it is for. */
    @Test
    void shouldNotJudgeWhatBeganAfterTheEndOfTheFlow() {
        assertThat(FROZEN.beforeEndOf(2_300 * MS)).isEqualTo(FROZEN);
        assertThat(FROZEN.beforeEndOf(1_952 * MS).isMade()).isFalse();
        assertThat(FROZEN.beforeEndOf(1_952 * MS).text())
                .isEqualTo("it began 48 ms after the end of the flow: state D");
        assertThat(Proof.notMade("no cgroup").beforeEndOf(0)).isEqualTo(Proof.notMade("no cgroup"));
    }
}
