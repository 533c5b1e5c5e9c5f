package org.naklab.lab.cli.hunt;

import java.nio.file.Path;

/** The directories of the runs of a hunt. */
public interface RunFiles {
    /** Returns the bytes of a directory; 0 if there is none. */
    long bytes(Path directory);

    /** Deletes a directory in a run, such as its journal. */
    void delete(Path part);

    /** Deletes a run. */
    void forget(Path run);
}
