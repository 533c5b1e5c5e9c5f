package org.naklab.lab.process;

import java.io.File;
import java.io.IOException;
import org.naklab.files.PrivateDirectory;
import org.naklab.files.SharedMemory;
import org.naklab.lab.core.LabException;

/**
 * Holds the shared memory of a run's processes below one private directory with a random name. Creating it removes what this
 * user's killed runs have left.
 */
public final class RunMemory implements AutoCloseable {
    private final PrivateDirectory directory;

    private RunMemory(PrivateDirectory directory) {
        this.directory = directory;
    }

    /**
     * Makes the directory.
     *
     * @throws LabException when there is no place for it
     */
    public static RunMemory create() {
        try {
            return new RunMemory(SharedMemory.create());
        } catch (IOException e) {
            throw new LabException("cannot make a directory in " + SharedMemory.root() + ": " + e.getMessage(), e);
        }
    }

    /** Returns the prefix of the path of each process's Aeron directory; a process appends its name. */
    public String aeronPrefix() {
        return directory.path() + File.separator;
    }

    /** Deletes the directory after the processes have ended, including the files of killed processes. */
    @Override
    public void close() {
        try {
            directory.close();
        } catch (IOException e) {
            throw new LabException("cannot delete the run's shared memory: " + e, e);
        }
    }
}
