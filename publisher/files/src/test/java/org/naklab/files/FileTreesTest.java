package org.naklab.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FileTreesTest {
    private static final int RACES = 300;

    @TempDir
    private Path directory;

    private Path victim;
    private Path tree;

    @BeforeEach
    void makeVictimAndTree() throws IOException {
        victim = Files.createDirectory(directory.resolve("victim"));
        Files.writeString(victim.resolve("file"), "kept");
        Files.createDirectory(victim.resolve("empty"));
        tree = Files.createDirectory(directory.resolve("tree"));
        Files.writeString(Files.createDirectories(tree.resolve("a/b")).resolve("file"), "gone");
    }

    @Test
    void shouldDeleteWholeTree() throws IOException {
        FileTrees.delete(tree);

        assertThat(tree).doesNotExist();
        assertVictimIsIntact();
    }

    @Test
    void shouldDeleteLinkAndNotWhatItPointsTo() throws IOException {
        Files.createSymbolicLink(tree.resolve("a/link"), victim);
        Files.createSymbolicLink(tree.resolve("file-link"), victim.resolve("file"));

        FileTrees.delete(tree);

        assertThat(tree).doesNotExist();
        assertVictimIsIntact();
    }

    @Test
    void shouldDeleteOnlyLinkWhenTreeItselfIsOne() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);

        FileTrees.delete(link);

        assertThat(link).doesNotExist();
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertVictimIsIntact();
    }

    @Test
    void shouldTakeNothingForDeleted() throws IOException {
        FileTrees.delete(directory.resolve("nothing"));
        FileTrees.delete(directory.resolve("nothing/at/all"));
    }

    /** Another process exchanges a directory for a link over and over while trees are deleted around it. */
    @Test
    void shouldNotFollowLinkThatIsPutInPlaceMeanwhile() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Path swapped = tree.resolve("a");
        Thread attacker = new Thread(() -> swap(swapped, isOver), "attacker");
        attacker.start();
        try {
            for (int i = 0; i < RACES; i++) {
                deleteWhileItChanges();
            }
        } finally {
            isOver.set(true);
            attacker.join();
        }
        assertVictimIsIntact();
    }

    /** A zip file system opens nothing relative to a directory. */
    @Test
    void shouldDeleteWhereDirectoriesCannotBeOpenedSafely() throws IOException {
        URI zip = URI.create("jar:" + directory.resolve("tree.zip").toUri());
        try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            Path packed = Files.createDirectory(files.getPath("/tree"));
            Files.writeString(Files.createDirectory(packed.resolve("a")).resolve("file"), "gone");

            FileTrees.delete(packed);

            assertThat(Files.exists(packed)).isFalse();
        }
    }

    private void deleteWhileItChanges() {
        try {
            Files.createDirectories(tree.resolve("a/b"));
            FileTrees.delete(tree);
        } catch (IOException changedMeanwhile) {
            // That the attacker can spoil a deletion in a directory of its own is no harm; what counts is the victim.
            assertThat(changedMeanwhile).isNotNull();
        }
    }

    private void swap(Path place, AtomicBoolean isOver) {
        Path link = directory.resolve("attack");
        Path away = directory.resolve("away");
        while (!isOver.get()) {
            try {
                Files.deleteIfExists(link);
                Files.createSymbolicLink(link, victim);
                Files.move(place, away.resolveSibling("away-" + System.nanoTime()));
                Files.move(link, place, StandardCopyOption.ATOMIC_MOVE);
                Files.deleteIfExists(place);
            } catch (IOException lostThisRace) {
                Thread.onSpinWait();
            }
        }
    }

    private void assertVictimIsIntact() {
        assertThat(victim.resolve("file")).hasContent("kept");
        assertThat(victim.resolve("empty")).isDirectory();
    }
}
