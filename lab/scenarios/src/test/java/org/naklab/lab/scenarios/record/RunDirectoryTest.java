package org.naklab.lab.scenarios.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RunDirectoryTest {
    private static final Instant NOW = Instant.parse("2026-11-21T01:02:03.004Z");

    @TempDir
    private Path runs;

    @Test
    void shouldBeNamedByTimeAndSeed() {
        assertThat(RunDirectory.create(runs, "baseline", NOW, 42).path())
                .isEqualTo(runs.resolve("baseline/2026-11-21T01-02-03.004Z-42"))
                .isDirectory();
    }

    @Test
    void shouldTellRunsOfOneMillisecondApart() {
        RunDirectory first = RunDirectory.create(runs, "baseline", NOW, 42);
        assertThat(RunDirectory.create(runs, "baseline", NOW, 42).id()).isEqualTo(first.id() + "-2");
    }

    @Test
    void shouldPointLatestAtTheNewest() throws IOException {
        RunDirectory.create(runs, "baseline", NOW, 1).linkLatest();
        RunDirectory second = RunDirectory.create(runs, "baseline", NOW, 2);
        second.linkLatest();
        assertThat(runs.resolve("latest").toRealPath()).isEqualTo(second.path().toRealPath());
        assertThat(runs.resolve("baseline/latest").toRealPath())
                .isEqualTo(second.path().toRealPath());
    }

    @Test
    void shouldNotHideARunBehindOneThatWasInterrupted() throws IOException {
        RunDirectory interrupted = RunDirectory.create(runs, "baseline", NOW, 1);
        interrupted.linkLatestIfNone();
        assertThat(runs.resolve("baseline/latest").toRealPath())
                .as("the only one there is")
                .isEqualTo(interrupted.path().toRealPath());
        RunDirectory whole = RunDirectory.create(runs, "baseline", NOW, 2);
        whole.linkLatest();
        RunDirectory.create(runs, "baseline", NOW, 3).linkLatestIfNone();

        assertThat(runs.resolve("latest").toRealPath()).isEqualTo(whole.path().toRealPath());
        assertThat(runs.resolve("baseline/latest").toRealPath())
                .isEqualTo(whole.path().toRealPath());
    }

    @Test
    void shouldSayInOneLineWhereItCannotBeMade() throws IOException {
        Path file = Files.createFile(runs.resolve("file"));
        assertThatThrownBy(() -> RunDirectory.create(file, "baseline", NOW, 1))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("cannot make a run directory in " + file);
    }

    @Test
    void shouldSayBeforeTheRunThatThereIsNoRoomForIt() {
        Path parent = Path.of("runs");
        assertThatThrownBy(() -> RunDirectory.requireRoom(parent, 300 << 10, 34 << 20))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("no room for a run: 300 KiB are free in runs, and it may write 34 MiB; 'naklab prune' "
                        + "deletes old runs, --runs names another place");
        RunDirectory.requireRoom(parent, 34 << 20, 34 << 20);
    }

    @Test
    void shouldMakeNoDirectoryForARunThatHasNoRoom() {
        assertThatThrownBy(() -> RunDirectory.create(runs, "baseline", NOW, 1, 1L << 60))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("it may write 1,073,741,824 GiB");
        assertThat(runs.resolve("baseline")).isEmptyDirectory();
    }
}
