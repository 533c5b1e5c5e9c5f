package org.naklab.lab.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.detect.Await;

@Timeout(30)
class HaltTest {
    @Test
    void shouldHaltAProcessAndLetItGoOn() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            Halt.stop(process.pid());
            Await.until("halted", () -> stateOf(process.pid()) == 'T');
            Halt.goOn(process.pid());
            Await.until("going on", () -> stateOf(process.pid()) == 'S');
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThatThrownBy(() -> Halt.stop(process.pid())).isInstanceOf(LastErrorException.class);
    }

    private static char stateOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
