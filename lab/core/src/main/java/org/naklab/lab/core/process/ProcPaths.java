package org.naklab.lab.core.process;

import java.nio.file.Path;

/** Names the directories and files of the kernel about processes. */
public final class ProcPaths {
    /** Has a directory for each process. */
    public static final Path ROOT = Path.of("/proc");

    private ProcPaths() {}

    /**
     * Returns the directory of a process, or what is below it.
     *
     * @param below names of directories and the file; none for the directory itself
     */
    public static Path of(long pid, String... below) {
        return ROOT.resolve(Path.of(Long.toString(pid), below));
    }
}
