package org.naklab.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileOwnerTest {
    private static final int UID = 54_321;
    private static final Map<String, String> SUDO = Map.of("SUDO_UID", "" + UID, "SUDO_GID", "" + UID);

    @TempDir
    private Path parent;

    private Path tree;
    private Path file;

    @BeforeEach
    void makeTree() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("only root gives files away")
                .isEqualTo("root");
        tree = Files.createDirectories(parent.resolve("runs"));
        file = Files.createFile(Files.createDirectories(tree.resolve("a/b")).resolve("file"));
    }

    @Test
    void shouldGiveATreeToTheUserOfSudo() throws IOException {
        owner().takeTree(tree);
        assertThat(uid(tree)).isEqualTo(UID);
        assertThat(uid(tree.resolve("a/b"))).isEqualTo(UID);
        assertThat(uid(file)).isEqualTo(UID);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(UID);
        assertThat(uid(parent)).isZero();
    }

    @Test
    void shouldGiveOnlyTheFilesOfADirectory() throws IOException {
        Path beside = Files.createFile(tree.resolve("history.db"));
        owner().takeDirectory(tree);
        assertThat(uid(tree)).isEqualTo(UID);
        assertThat(uid(beside)).isEqualTo(UID);
        assertThat(uid(tree.resolve("a"))).isZero();
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Path victim = Files.createDirectory(parent.resolve("victim"));
        Path secret = Files.createFile(victim.resolve("secret"));
        Files.createSymbolicLink(tree.resolve("directory"), victim);
        Files.createSymbolicLink(tree.resolve("a/secret"), secret);
        Path link = Files.createSymbolicLink(parent.resolve("link"), victim);
        owner().takeTree(tree);
        owner().takeTree(link);
        assertThat(uid(victim)).isZero();
        assertThat(uid(secret)).isZero();
    }

    /** In a directory of another user, a name may mean any file of root's. */
    @Test
    void shouldTakeNothingFromADirectoryOfAnotherUser() throws IOException {
        Files.setAttribute(tree.resolve("a"), "unix:uid", 77);
        Path planted = Files.createFile(tree.resolve("a/planted"));
        owner().takeTree(tree);
        assertThat(uid(tree.resolve("a"))).isEqualTo(77);
        assertThat(uid(planted)).isZero();
        assertThat(uid(file)).isZero();
    }

    @Test
    void shouldKnowNobodyWithoutSudo() throws IOException {
        assertThat(FileOwner.ofSudo(Map.of())).isEmpty();
        assertThat(FileOwner.ofSudo(Map.of("SUDO_UID", "0", "SUDO_GID", "0"))).isEmpty();
    }

    private static FileOwner owner() throws IOException {
        return FileOwner.ofSudo(SUDO).orElseThrow();
    }

    private static int uid(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }
}
