package org.naklab.faults.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

@Timeout(60)
class GuardTest {
    @TempDir
    Path directory;

    private final Guard guard = new Guard();

    private Path file(String name) throws IOException {
        return Files.createFile(directory.resolve(name));
    }

    @Test
    void shouldUndoWhatWasPromisedAndNotKept() throws IOException {
        Path kept = file("kept");
        Path promised = file("promised $(touch pwned) 'and' \"quoted\"");
        guard.toDelete(promised);
        guard.toDelete(kept).kept();

        guard.close();
        guard.close();

        assertThat(promised).doesNotExist();
        assertThat(kept).exists();
        assertThat(directory.resolve("pwned")).doesNotExist();
    }

    @Test
    void shouldLeaveAProcessThatGotTheIdLaterAlone() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "30").start();
        try {
            TargetProcess target = TargetProcess.of(sleeper.pid());
            guard.toKill(new TargetProcess(target.pid(), target.startTicks() + 1));
            guard.close();
            assertThat(target.isAlive()).isTrue();

            guard.toKill(target);
            guard.close();
            assertThat(sleeper.waitFor()).isEqualTo(128 + 9);
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void shouldRefuseAPathThatItCannotWriteDown() {
        assertThatThrownBy(() -> guard.toDelete(directory.resolve("two\nlines")))
                .isInstanceOf(FaultException.class);
    }
}
