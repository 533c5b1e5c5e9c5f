package org.naklab.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;

/** Scratch space of a bench, gone when it is closed. */
final class BenchDirectory implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path scratch;
    private final Path memory;
    private int taken;

    BenchDirectory() throws IOException {
        scratch = Files.createTempDirectory("naklab-bench-");
        memory = Files.isWritable(SHARED_MEMORY)
                ? Files.createTempDirectory(SHARED_MEMORY, "naklab-bench-")
                : scratch.resolve("aeron");
    }

    /** A directory on disk that does not exist yet. */
    Path disk() {
        return scratch.resolve("disk-" + taken++);
    }

    /** A new directory on disk. */
    Path made() {
        try {
            return Files.createDirectory(disk());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory for Aeron that does not exist yet. */
    String aeron() {
        return memory.resolve("aeron-" + taken++).toString();
    }

    @Override
    public void close() {
        IoUtil.delete(memory.toFile(), true);
        IoUtil.delete(scratch.toFile(), true);
    }
}
