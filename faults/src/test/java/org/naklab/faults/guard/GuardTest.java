package org.naklab.faults.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;
import org.naklab.testing.Await;

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

    /** This process does nothing more, as if it were stopped or hung. */
    @Test
    void shouldUndoItselfWhenTheTimeIsOver() throws IOException {
        Path kept = file("kept");
        Path late = file("late");
        Path unbounded = file("unbounded");
        guard.toDelete(unbounded);
        try (Guard.Bound bound = Guard.within(300)) {
            guard.toDelete(kept).kept();
            guard.toDelete(late);
            bound.begin();
            Await.until("it is undone", () -> Files.notExists(late));
            Await.until("that is written down", bound::wasReached);
        }
        assertThat(kept).exists();
        assertThat(unbounded).exists();

        guard.close();
        assertThat(unbounded).doesNotExist();
        assertThat(kept).exists();
    }

    /** Both are killed at once, as when a control group ends with all that is in it. */
    @Test
    void shouldHaveASecondGuardForWhenBothAreKilled() throws Exception {
        Process doomed = new ProcessBuilder("sleep", "60").start();
        try {
            Path promised = file("promised");
            Path ledger = file("ledger");
            ProcessIdentity self = ProcessIdentity.current();
            Files.writeString(ledger, "naklab-promises " + self.text() + "\n+ 1 delete " + promised + "\n");
            GuardScript.second(ledger, 1, TargetProcess.of(doomed.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Await.until("it is there", () -> contentOf(ledger).contains("& "));
            assertThat(promised).exists();
            doomed.destroyForcibly();
            Await.until("it undoes", () -> Files.notExists(promised) && Files.notExists(ledger));
        } finally {
            doomed.destroyForcibly();
        }
    }

    @Test
    void shouldLeaveNoGuardBehind() throws IOException {
        guard.toDelete(file("a"));
        Path ledger = guard.act(List.of("true")).stream()
                .filter(word -> word.endsWith(".ledger"))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
        assertThat(contentOf(ledger))
                .as("the second guard stands before anything is promised")
                .contains("& ");
        guard.close();
        Await.until("none is left", () -> ProcessHandle.allProcesses()
                .noneMatch(each -> each.info().commandLine().orElse("").contains(ledger.toString())));
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseAPathThatItCannotWriteDown() {
        assertThatThrownBy(() -> guard.toDelete(directory.resolve("two\nlines")))
                .isInstanceOf(FaultException.class);
    }
}
