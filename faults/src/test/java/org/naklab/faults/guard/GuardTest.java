package org.naklab.faults.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void shouldDeleteADirectoryWithoutFollowingLinks() throws IOException {
        Path victim = file("victim");
        Path promised = Files.createDirectory(directory.resolve("promised"));
        Files.createSymbolicLink(promised.resolve("link"), directory);
        guard.toDelete(promised);

        guard.close();

        assertThat(promised).doesNotExist();
        assertThat(victim).exists();
    }

    @Test
    void shouldRunCommandsTheLastFirst() throws IOException {
        Path log = directory.resolve("log of 'it'");
        guard.toRun("write 1", List.of("sh", "-c", "echo 1 >>\"$1\"", "sh", log.toString()));
        guard.toRun("write 2", List.of("sh", "-c", "echo 2 >>\"$1\"", "sh", log.toString()));
        guard.toRun("write 3", List.of("sh", "-c", "echo 3 >>\"$1\"", "sh", log.toString()))
                .kept();

        guard.close();

        assertThat(log).hasContent("2\n1");
    }

    @Test
    void shouldNotActForAProcessThatHasEnded() throws Exception {
        Path flag = directory.resolve("flag");
        ProcessIdentity self = ProcessIdentity.current();
        TargetProcess other =
                new TargetProcess(self.process().pid(), self.process().startTicks() + 1);
        ProcessIdentity ended = new ProcessIdentity(self.bootId(), self.machineId(), self.pidNamespace(), other);
        List<String> act = List.of("touch", flag.toString());

        assertThat(new ProcessBuilder(GuardScript.act(file("ledger"), ended, act))
                        .start()
                        .waitFor())
                .isEqualTo(125);
        assertThat(flag).doesNotExist();
        assertThat(new ProcessBuilder(guard.act(act)).start().waitFor()).isZero();
        assertThat(flag).exists();
        guard.close();
    }

    @Test
    void shouldRefuseAPathThatItCannotWriteDown() {
        assertThatThrownBy(() -> guard.toDelete(directory.resolve("two\nlines")))
                .isInstanceOf(FaultException.class);
    }
}
