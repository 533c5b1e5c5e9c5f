package org.naklab.lab.instruments.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.DetectException;

/** The directories of the windows of a watch: the given one for a single window, otherwise one inside of it for each, by number. Thread-safe. */
public final class WindowDirectories {
    private final Path directory;
    private final int windows;
    private int taken;

    private WindowDirectories(Path directory, int windows) {
        this.directory = directory;
        this.windows = windows;
    }

    /**
     * Creates the directory.
     *
     * @param windows the number of windows that may be written, at least 1
     * @throws DetectException the directory cannot be made, or holds a window already
     */
    public static WindowDirectories of(Path directory, int windows) {
        WindowDirectories directories = new WindowDirectories(directory, windows);
        create(directory);
        if (Files.exists(directories.of(1).resolve(IncidentRecorder.TIMELINE))) {
            throw new DetectException(directory + " holds a window already: name another directory");
        }
        return directories;
    }

    /** Returns a directory, which exists, for one window. */
    static WindowDirectories ofOne(Path directory) {
        return new WindowDirectories(directory, 1);
    }

    private static void create(Path directory) {
        try {
            OutputFile.directory(directory);
        } catch (IOException e) {
            throw new DetectException("cannot record in " + directory + ": " + e.getMessage(), e);
        }
    }

    private Path of(int number) {
        return windows == 1 ? directory : directory.resolve(String.valueOf(number));
    }

    /** Returns the directory that contains all windows. */
    public Path directory() {
        return directory;
    }

    /** Returns how many windows may be written in total. */
    public int windows() {
        return windows;
    }

    /** Returns whether another window may be written. */
    public synchronized boolean hasMore() {
        return taken < windows;
    }

    /**
     * Returns the directory of the next window, which exists then; empty if there are enough.
     *
     * @throws DetectException it cannot be made
     */
    synchronized Optional<Path> next() {
        if (!hasMore()) {
            return Optional.empty();
        }
        taken++;
        Path next = of(taken);
        create(next);
        return Optional.of(next);
    }
}
