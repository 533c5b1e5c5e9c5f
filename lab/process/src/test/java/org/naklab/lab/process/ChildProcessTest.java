package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nobody else learns from a child's configuration where its shared memory is, or has it written elsewhere. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ChildProcessTest {
    @TempDir
    private Path directory;

    @Test
    void shouldLetNobodyElseReadItsConfiguration() throws IOException {
        Path usual = Files.createFile(directory.resolve("usual"));
        assumeThat(permissions(usual)).as("what this user's files usually are").isNotEqualTo("rw-------");

        start().close();

        assertThat(permissions(directory.resolve("mds.json"))).isEqualTo("rw-------");
        assertThat(directory.resolve("mds.json")).content().contains("\"aeronDirectory\" : \"/dev/shm/secret\"");
    }

    @Test
    void shouldNotWriteWhereAPlantedFileOrLinkIs() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "kept");
        Path planted = Files.createSymbolicLink(directory.resolve("mds.json"), victim);
        assertRefused();
        assertThat(victim).hasContent("kept");

        Files.delete(planted);
        Files.createSymbolicLink(planted, directory.resolve("absent"));
        assertRefused();
        assertThat(directory.resolve("absent")).doesNotExist();

        Files.delete(planted);
        Files.writeString(planted, "open to all");
        assertRefused();
        assertThat(planted).hasContent("open to all");
    }

    private void assertRefused() {
        assertThatThrownBy(() -> start().close())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot write " + directory.resolve("mds.json"));
        assertThat(directory.resolve("mds.log")).as("the log of a child").doesNotExist();
    }

    private ChildProcess start() {
        ProcessSpec<?> spec = new ProcessSpec<>(
                "mds", Role.SERVICE, Ended.class, List.of(), Map.of(), Map.of("aeronDirectory", "/dev/shm/secret"));
        return ChildProcess.start(spec, directory, Installation.current(), (process, event) -> {});
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** A process that has nothing to do. */
    static final class Ended {
        private Ended() {}

        public static void main(String[] arguments) {}
    }
}
