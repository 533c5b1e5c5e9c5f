package org.naklab.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PrivateDirectoryTest {
    private static final String PREFIX = "naklab-";

    @TempDir
    private Path directory;

    private Path root;
    private Path elsewhere;

    @BeforeEach
    void makeDirectories() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    }

    @Test
    void shouldLetNobodyElseIn() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.create(root, PREFIX)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(directory.path().resolve("lock"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldDeleteWhatIsInItWhenClosed() throws IOException {
        Path victim = victim();
        PrivateDirectory directory = PrivateDirectory.create(root, PREFIX);
        Files.createDirectories(directory.path().resolve("mds/images"));
        Files.createSymbolicLink(directory.path().resolve("mds/link"), victim.getParent());

        directory.close();
        directory.close();

        assertThat(root).isEmptyDirectory();
        assertThat(victim).hasContent("kept");
    }

    @Test
    void shouldClearWhatKilledProcessLeft() throws Exception {
        Path victim = victim();
        try (Holder killed = Holder.start(root)) {
            Path orphan = killed.directory();
            Files.createSymbolicLink(orphan.resolve("link"), victim.getParent());
            try (PrivateDirectory other = PrivateDirectory.create(root, PREFIX)) {
                assertThat(orphan).as("of a process that lives").isDirectory();
                assertThat(other.path()).isNotEqualTo(orphan);
            }
            killed.kill();
            PrivateDirectory.create(root, PREFIX).close();
            assertThat(orphan).as("of a killed process").doesNotExist();
        }
        assertThat(victim).hasContent("kept");
    }

    /** A child outlives the process that made the directory by as long as it takes to end. */
    @Test
    void shouldNotClearWhatAnotherProcessHasJoined() throws Exception {
        try (Holder maker = Holder.start(root);
                Holder child = Holder.join(maker.directory())) {
            maker.kill();
            PrivateDirectory.create(root, PREFIX).close();
            assertThat(maker.directory()).isDirectory();

            child.kill();
            PrivateDirectory.create(root, PREFIX).close();
            assertThat(maker.directory()).doesNotExist();
        }
    }

    /** Nothing is left when the process that made it was killed and those that it started end by themselves. */
    @Test
    void shouldDeleteWhatTheLastOfItsProcessesLeaves() throws Exception {
        try (Holder maker = Holder.start(root);
                Holder first = Holder.join(maker.directory());
                Holder second = Holder.join(maker.directory())) {
            maker.kill();
            first.leave();
            assertThat(maker.directory()).isDirectory();

            second.leave();
            assertThat(maker.directory()).doesNotExist();
        }
    }

    @Test
    void shouldKeepWhatItsMakerStillHolds() throws Exception {
        try (Holder maker = Holder.start(root);
                Holder child = Holder.join(maker.directory())) {
            child.leave();
            assertThat(maker.directory()).isDirectory();
        }
    }

    @Test
    void shouldNotClearItsOwn() throws Exception {
        try (PrivateDirectory first = PrivateDirectory.create(root, PREFIX)) {
            PrivateDirectory.create(root, PREFIX).close();
            PrivateDirectory.join(first.path());
            try (Holder another = Holder.start(root)) {
                assertThat(another.directory()).isDirectory();
                assertThat(first.path()).as("cleared by another process").isDirectory();
            }
        }
    }

    @Test
    void shouldClearDirectoryWhoseProcessWasKilledBeforeItsLock() throws IOException {
        Path orphan = planted("naklab-1", "rwx------");

        PrivateDirectory.create(root, PREFIX).close();

        assertThat(orphan).doesNotExist();
    }

    @Test
    void shouldNotTouchWhatOthersCanEnterOrNobodyLocked() throws IOException {
        Path victim = victim();
        Path open = planted("naklab-open", "rwxr-xr-x");
        Files.createFile(open.resolve("lock"));
        Path unlocked = planted("naklab-unlocked", "rwx------");
        Path foreign = planted("other", "rwx------");
        Files.createFile(foreign.resolve("lock"));
        Path lockIsLink = planted("naklab-link", "rwx------");
        Files.createSymbolicLink(lockIsLink.resolve("lock"), victim);
        List<Path> all = List.of(open, unlocked, foreign, lockIsLink);
        for (Path directory : all) {
            Files.createSymbolicLink(directory.resolve("link"), victim.getParent());
        }
        Path link = Files.createSymbolicLink(root.resolve("naklab-itself"), victim.getParent());

        PrivateDirectory.create(root, PREFIX).close();

        assertThat(all)
                .allSatisfy(directory -> assertThat(directory.resolve("link")).isSymbolicLink());
        assertThat(link).isSymbolicLink();
        assertThat(victim).hasContent("kept");
    }

    @Test
    void shouldNotTouchWhatBelongsToAnotherUser() throws IOException {
        assumeThat(Files.getAttribute(root, "unix:uid"))
                .as("user, who can give files away")
                .isEqualTo(0);
        Path victim = victim();
        Path planted = planted("naklab-evil", "rwx------");
        Files.createFile(planted.resolve("lock"));
        Files.createSymbolicLink(planted.resolve("link"), victim.getParent());
        try (Stream<Path> all = Stream.of(planted, planted.resolve("lock"))) {
            for (Path path : all.toList()) {
                Files.setAttribute(path, "unix:uid", 65_534);
            }
        }

        PrivateDirectory.create(root, PREFIX).close();

        assertThat(planted.resolve("link")).isSymbolicLink();
        assertThat(victim).hasContent("kept");
    }

    @Test
    void shouldRefuseRootInWhichEveryUserCanRename() throws IOException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> PrivateDirectory.create(root, PREFIX))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod +t " + root);
    }

    @Test
    void shouldMakeOrAcceptDirectoryOfItsOwn() throws IOException {
        Path fresh = root.resolve("fresh");

        PrivateDirectory.require(fresh);
        PrivateDirectory.require(fresh);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
                .isEqualTo("rwx------");
        assertThat(fresh).isEmptyDirectory();
    }

    @Test
    void shouldRefuseDirectoryThatAnotherUserCanWriteTo() throws IOException {
        Path open = planted("open", "rwxrwx---");
        Path link = Files.createSymbolicLink(root.resolve("link"), elsewhere);

        assertThatThrownBy(() -> PrivateDirectory.require(open))
                .hasMessageContaining("other users can write to " + open);
        assertThatThrownBy(() -> PrivateDirectory.require(link)).hasMessageContaining("a symbolic link");
    }

    @Test
    void shouldRefuseDirectoryOfAnotherUser() throws IOException {
        assumeThat(Files.getAttribute(root, "unix:uid"))
                .as("user, who can give files away")
                .isEqualTo(0);
        Path foreign = planted("foreign", "rwx------");
        Files.setAttribute(foreign, "unix:uid", 65_534);

        assertThatThrownBy(() -> PrivateDirectory.require(foreign)).hasMessageContaining("other users can write");
        assertThat(foreign).isEmptyDirectory();
    }

    private Path planted(String name, String permissions) throws IOException {
        Path directory = Files.createDirectory(root.resolve(name));
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    }

    private Path victim() throws IOException {
        return Files.writeString(
                Files.createDirectory(elsewhere.resolve("victim")).resolve("file"), "kept");
    }
}
