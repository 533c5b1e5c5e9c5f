package org.naklab.testcontainers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestcontainersPreflightTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void shouldSayWhatToSetIfImagesCannotBePulled() {
        AtomicBoolean isOver = new AtomicBoolean();
        try {
            assertThatThrownBy(() -> TestcontainersPreflight.check(
                            () -> await(isOver), Duration.ofMillis(5), Duration.ofMillis(20)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Testcontainers was not ready within ")
                    .hasMessageContaining("TESTCONTAINERS_RYUK_DISABLED=true and TESTCONTAINERS_CHECKS_DISABLE=true");
        } finally {
            isOver.set(true);
        }
    }

    @Test
    void shouldSayInOneLineWhyThereIsNoConnection() {
        assertThatThrownBy(() -> TestcontainersPreflight.check(
                        () -> {
                            throw new IllegalStateException("no environment\nmany lines");
                        },
                        LONG,
                        LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Testcontainers cannot use the engine: no environment");
    }

    @Test
    void shouldSayNothingIfItConnects() {
        TestcontainersPreflight.check(() -> {}, LONG, LONG);
    }

    private static void await(AtomicBoolean isOver) {
        while (!isOver.get()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
