package org.naklab.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SparseFilesTest {
    private static final int BYTES = 8 << 20;

    @TempDir
    private Path directory;

    @Test
    void shouldFreeZerosAndKeepTheContents() throws Exception {
        byte[] content = new byte[BYTES];
        content[0] = 1;
        content[BYTES - 1] = 2;
        Path file = Files.write(directory.resolve("a.cq4"), content);
        long before = blocks(file);

        assumeTrue(SparseFiles.digHoles(directory), "no fallocate, or no holes in this file system");

        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(blocks(file)).isLessThan(before / 2);
    }

    @Test
    void shouldNotFollowALink() throws Exception {
        Path outside =
                Files.write(Files.createDirectory(directory.resolve("outside")).resolve("b"), new byte[BYTES]);
        Path inside = Files.createDirectory(directory.resolve("inside"));
        Files.createSymbolicLink(inside.resolve("link"), outside);
        long before = blocks(outside);

        SparseFiles.digHoles(inside);

        assertThat(blocks(outside)).isEqualTo(before);
    }

    /** Returns the blocks of 512 bytes that a file takes. */
    private static long blocks(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }
}
