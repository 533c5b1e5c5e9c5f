package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;

@Timeout(10)
final class ShardTest {
    @Test
    void shouldTakeTheShardFromTheOption() {
        assertThat(Shard.of(null, Map.of("JOB_COMPLETION_INDEX", "3"))).isEqualTo(Shard.WHOLE);
        assertThat(Shard.of("2/8", Map.of("JOB_COMPLETION_INDEX", "3"))).isEqualTo(new Shard(2, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "NOMAD_ALLOC_INDEX"})
    void shouldTakeTheIndexFromTheEngine(String variable) {
        assertThat(Shard.of("8", Map.of(variable, "0"))).isEqualTo(new Shard(1, 8));
        assertThat(Shard.of("8", Map.of(variable, "7"))).isEqualTo(new Shard(8, 8));
        assertThatThrownBy(() -> Shard.of("8", Map.of(variable, "8"))).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> Shard.of("8", Map.of(variable, "x")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(variable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/2", "3/2", "1/0", "1/100001", "a/b", "-1/2", "", "1/2/3", "8"})
    void shouldRefuseWhatIsNoShard(String text) {
        assertThatThrownBy(() -> Shard.of(text, Map.of())).isInstanceOf(UsageException.class);
    }
}
