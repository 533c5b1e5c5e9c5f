package org.naklab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;

@Timeout(60)
class TargetProcessTest {
    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "30").start();
    }

    /** Between zombie and gone there are looks that see half of each. */
    @RepeatedTest(40)
    void shouldStayDeadOnceDead() throws IOException {
        Process process = sleeper();
        TargetProcess target = TargetProcess.of(process.pid());
        assertThat(target.isAlive()).isTrue();
        process.destroyForcibly();
        Await.until("dead", () -> !target.isAlive());

        while (ProcessHandle.of(target.pid()).isPresent()) {
            assertThat(target.isAlive()).isFalse();
        }
        assertThat(target.isAlive()).isFalse();
    }

    @Test
    void shouldNotTakeALaterProcessForIt() throws IOException {
        Process process = sleeper();
        try {
            TargetProcess target = TargetProcess.of(process.pid());

            assertThat(new TargetProcess(target.pid(), target.startTicks() - 1).isAlive())
                    .isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldNameTheProcessThatIsMissing() {
        assertThatThrownBy(() -> TargetProcess.of(Integer.MAX_VALUE))
                .isInstanceOf(FaultException.class)
                .hasMessage("no process has the id 2147483647");
    }
}
