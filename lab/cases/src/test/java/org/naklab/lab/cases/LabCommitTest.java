package org.naklab.lab.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LabCommitTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    @TempDir
    private Path root;

    private Path classes;

    @BeforeEach
    void layOut() throws IOException {
        classes = Files.createDirectories(root.resolve("lab/watch/target/classes"));
        write("lab/cli/pom.xml", "");
    }

    @Test
    void shouldFindABranch() throws IOException {
        write(".git/HEAD", "ref: refs/heads/main\n");
        write(".git/refs/heads/main", COMMIT + "\n");
        assertThat(LabCommit.of(classes)).contains(COMMIT);
    }

    @Test
    void shouldFindAPackedBranch() throws IOException {
        write(".git/HEAD", "ref: refs/heads/main\n");
        write(
                ".git/packed-refs",
                "# pack-refs\n" + COMMIT.replace('0', '9') + " refs/heads/amain\n" + COMMIT + " refs/heads/main\n");
        assertThat(LabCommit.of(classes)).contains(COMMIT);
    }

    @Test
    void shouldFindACommitWithoutBranch() throws IOException {
        write(".git/HEAD", COMMIT + "\n");
        assertThat(LabCommit.of(classes)).contains(COMMIT);
    }

    @Test
    void shouldFindTheBranchOfASecondWorkTree() throws IOException {
        write(".git", "gitdir: main/.git/worktrees/second\n");
        write("main/.git/worktrees/second/HEAD", "ref: refs/heads/second\n");
        write("main/.git/worktrees/second/commondir", "../..\n");
        write("main/.git/refs/heads/second", COMMIT + "\n");
        assertThat(LabCommit.of(classes)).contains(COMMIT);
    }

    @Test
    void shouldFindNoneInTheRepositoryOfAnotherProject() throws IOException {
        write(".git/HEAD", COMMIT + "\n");
        Files.delete(root.resolve("lab/cli/pom.xml"));
        assertThat(LabCommit.of(classes)).isEmpty();
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
