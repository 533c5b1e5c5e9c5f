package org.naklab.lab.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the processes of a run keep Aeron's files: in memory where the machine has a place for that. */
public final class AeronDirectories {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private AeronDirectories() {}

    /** The beginning of each directory's path; a process adds its name. Unique among the labs of a machine. */
    public static String prefix(String runId) {
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return parent.resolve("naklab-" + runId + "-" + ProcessHandle.current().pid() + "-")
                .toString();
    }
}
