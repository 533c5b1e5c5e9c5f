package org.naklab.lab.cli.hunt;

import java.nio.file.Path;
import org.naklab.lab.terminal.runs.RunDisk;

/** The directories of the runs of a hunt; by default, runs are in no history. */
public interface RunFiles {
    /** Returns the bytes of a directory; 0 if there is none. */
    default long bytes(Path directory) {
        return RunDisk.allocatedBytes(directory);
    }

    /** Deletes a directory in a run, such as its journal. */
    default void delete(Path part) {
        RunDisk.delete(part);
    }

    /** Deletes a run. */
    default void forget(Path run) {
        RunDisk.delete(run);
    }
}
