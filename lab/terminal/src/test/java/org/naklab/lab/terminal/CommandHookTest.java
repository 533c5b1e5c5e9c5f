package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class CommandHookTest {
    @TempDir
    private Path directory;

    @Test
    void shouldGiveACommandItsVariablesAndNoInput() throws Exception {
        Path told = directory.resolve("told");
        CommandHook hook = new CommandHook("cat && printf '%s' \"$NAKLAB_CAUSE\" >\"$TOLD\"");

        assertThat(hook.start(Map.of("NAKLAB_CAUSE", "lock wait", "TOLD", told.toString())))
                .isEmpty();
        assertThat(hook.await()).isEmpty();
        assertThat(Files.readString(told)).isEqualTo("lock wait");
    }

    @Test
    void shouldTellEachFailureOnce() throws Exception {
        CommandHook hook = new CommandHook("exit \"$CODE\"");
        for (String code : new String[] {"3", "0", "7"}) {
            hook.start(Map.of("CODE", code));
        }

        assertThat(hook.await())
                .containsExactly("the command of --exec ended with 3", "the command of --exec ended with 7");
        assertThat(hook.await()).isEmpty();
        assertThat(hook.takeFailures()).isEmpty();
    }

    /** A command that goes on is no failure yet, and is told when it has ended. */
    @Test
    void shouldNotWaitForACommandThatGoesOn() throws Exception {
        Path gate = directory.resolve("gate");
        assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor())
                .isZero();
        CommandHook hook = new CommandHook("read -r code <\"$GATE\"; exit \"$code\"");
        hook.start(Map.of("GATE", gate.toString()));

        assertThat(hook.takeFailures()).isEmpty();
        Files.writeString(gate, "5\n");
        assertThat(hook.await()).containsExactly("the command of --exec ended with 5");
    }
}
