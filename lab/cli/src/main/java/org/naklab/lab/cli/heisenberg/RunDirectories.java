package org.naklab.lab.cli.heisenberg;

import java.nio.file.Path;
import org.naklab.lab.cli.hunt.RunFiles;
import org.naklab.lab.terminal.runs.RunDisk;

/** Runs that have no entry in the history: only their directories. */
final class RunDirectories implements RunFiles {
    @Override
    public long bytes(Path directory) {
        return RunDisk.allocatedBytes(directory);
    }

    @Override
    public void delete(Path part) {
        RunDisk.delete(part);
    }

    @Override
    public void forget(Path run) {
        RunDisk.delete(run);
    }
}
