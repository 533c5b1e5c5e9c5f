package org.naklab.lab.terminal.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class MeasuredLineTest {
    @Test
    void shouldNameTheTimeInUtcAndTheMachine() {
        assertThat(MeasuredLine.of(Instant.parse("2026-11-28T23:59:30Z")))
                .startsWith("Measured until 2026-11-28 23:59 UTC on "
                        + Runtime.getRuntime().availableProcessors() + " CPU")
                .contains(System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .endsWith(", JDK " + Runtime.version() + ".");
    }
}
