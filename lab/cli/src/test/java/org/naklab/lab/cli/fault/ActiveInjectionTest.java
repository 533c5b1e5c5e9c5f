package org.naklab.lab.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ActiveInjectionTest {
    private static final long PID = 4711;

    @Test
    void shouldTellTargetAndFaultOfACommandLine() {
        assertThat(ActiveInjection.of(PID, words("inject", "--json", "baseline", "slow-callback:delay=5ms")))
                .contains(new ActiveInjection(PID, "baseline", "slow-callback:delay=5ms"));
        assertThat(ActiveInjection.of(
                        PID, words("--color", "never", "inject", "4711", "process-pause", "--color=never")))
                .contains(new ActiveInjection(PID, "4711", "process-pause"));
        assertThat(ActiveInjection.of(PID, words("run", "baseline", "inject"))).isEmpty();
        assertThat(ActiveInjection.of(PID, words("inject", "--help"))).isEmpty();
        assertThat(ActiveInjection.of(PID, List.of("vi", "inject", "x"))).isEmpty();
    }

    private static List<String> words(String... arguments) {
        return Stream.concat(Stream.of("java", "-cp", "x", "org.naklab.lab.cli.Naklab"), Stream.of(arguments))
                .toList();
    }
}
