package org.naklab.lab.tools.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.naklab.files.PrivateDirectory;
import org.naklab.files.SharedMemory;

/** Scratch space of a bench, gone when it is closed. */
public final class BenchDirectory implements AutoCloseable {
    private final PrivateDirectory scratch;
    private final PrivateDirectory memory;
    private int taken;

    /** Creates it. */
    public BenchDirectory() throws IOException {
        scratch = PrivateDirectory.create(Path.of(System.getProperty("java.io.tmpdir")), "naklab-bench-");
        memory = SharedMemory.create();
    }

    /** Returns a directory on disk that does not exist yet. */
    public Path disk() {
        return scratch.path().resolve("disk-" + taken++);
    }

    /** Creates a directory on disk. */
    public Path made() {
        try {
            return Files.createDirectory(disk());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a directory for Aeron that does not exist yet. */
    String aeron() {
        return memory.path().resolve("aeron-" + taken++).toString();
    }

    @Override
    public void close() {
        try {
            memory.close();
            scratch.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the bench's files", e);
        }
    }
}
