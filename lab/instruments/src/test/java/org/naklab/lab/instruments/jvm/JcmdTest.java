package org.naklab.lab.instruments.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.instruments.linux.ForeignFile;

@Timeout(60)
class JcmdTest {
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void shouldShortenAnAnswerToOneLineWithoutControlCharacters() {
        assertThat(Jcmd.shortened(" \u001b]0;owned\u0007\nPASS\n\n forged \n"))
                .isEqualTo("\\x1b]0;owned\\x07 PASS forged");
        assertThat(Jcmd.shortened("x".repeat(100_000))).hasSize(302);
    }

    @Test
    void shouldAskAProcessOfTheSameUserAsItIs() {
        assertThat(Jcmd.asItsUser(SELF)).isEmpty();
    }

    @Test
    void shouldGiveUpTheRightsOfRootToAskAProcessOfAnotherUser() throws Exception {
        assumeTrue(ForeignFile.userOf(SELF) == 0, "only root has rights to give up");
        Process other = asNobody("sleep", "60");
        try {
            while (ForeignFile.userOf(other.pid()) == 0) {
                Thread.onSpinWait();
            }
            List<String> prefix = Jcmd.asItsUser(other.pid());
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(
                    "sh", "-c", "id -u; id -g; id -G; grep CapEff /proc/self/status; ps -o sid= -p $$; echo $$"));
            Process asked =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .toList();
            assertThat(said.subList(0, 3)).containsOnly("65534");
            assertThat(said.get(3)).endsWith("0000000000000000");
            assertThat(said.get(4)).as("a session of its own").isEqualTo(said.get(5));
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private static Process asNobody(String... command) throws IOException {
        List<String> line =
                new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        line.addAll(List.of(command));
        return new ProcessBuilder(line).start();
    }
}
