package org.naklab.lab.workshop.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.naklab.files.FileTrees;
import org.naklab.lab.core.InputException;

/** The directory of the run of a live unit. Its name tells nothing, only its owner can enter it, and it is deleted when it is closed. */
public final class LiveDirectory implements AutoCloseable {
    private static final String NAME = "run";
    private static final String COPY = "copy";

    private final Path directory;

    private LiveDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes it. What a killed run has left there goes.
     *
     * @param parent directory of the unit
     * @throws InputException it cannot be made
     */
    public static LiveDirectory make(Path parent) {
        LiveDirectory made = new LiveDirectory(parent.resolve(NAME));
        try {
            made.close();
            Files.createDirectories(parent);
            Files.createDirectory(
                    made.directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.createDirectory(made.forRun());
        } catch (IOException e) {
            throw new InputException("the directory " + made.directory + " cannot be made: " + e.getMessage(), e);
        }
        return made;
    }

    /** Returns the directory for the files of the run. */
    public Path forRun() {
        return directory.resolve(NAME);
    }

    /** Returns the directory for the sealed copy, which nobody has made yet. */
    public Path forCopy() {
        return directory.resolve(COPY);
    }

    @Override
    public void close() {
        try {
            if (Files.exists(directory)) {
                FileTrees.delete(directory);
            }
        } catch (IOException e) {
            throw new InputException("the directory " + directory + " cannot be deleted: " + e.getMessage(), e);
        }
    }
}
