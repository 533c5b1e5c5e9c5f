package org.naklab.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the file system that is kept in memory. It is open to every user: what goes there belongs into a {@link PrivateDirectory}. */
public final class SharedMemory {
    /** Begins the name of each private directory there. */
    public static final String PREFIX = "naklab-";

    private static final Path LINUX = Path.of("/dev/shm");

    private SharedMemory() {}

    /** Returns {@code /dev/shm}, or the directory for temporary files where the machine has no {@code /dev/shm}. */
    public static Path root() {
        return Files.isDirectory(LINUX) && Files.isWritable(LINUX)
                ? LINUX
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Creates a private directory in shared memory.
     *
     * @throws IOException when it cannot be made
     */
    public static PrivateDirectory create() throws IOException {
        return PrivateDirectory.create(root(), PREFIX);
    }
}
