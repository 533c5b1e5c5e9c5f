package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;

@Timeout(60)
class ProcessSignalsTest {
    @Test
    void shouldHaltAProcessAndLetItGoOn() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessSignals.stop(process.pid());
            Await.until("halted", () -> stateOf(process.pid()) == 'T');
            ProcessSignals.resume(process.pid());
            Await.until("going on", () -> stateOf(process.pid()) == 'S');
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThatThrownBy(() -> ProcessSignals.stop(process.pid())).isInstanceOf(LastErrorException.class);
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
