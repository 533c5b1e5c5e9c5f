package org.naklab.lab.watch.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.watch.WindowDirectories;

/**
 * The directories into which a watch records: one for all processes, or one for each process of an Aeron unit, as the driver and a client may be tripped by the same
 * event.
 */
final class Recordings {
    private final Path directory;
    private final int windows;
    private final @Nullable WindowDirectories common;
    private final List<WindowDirectories> ofMembers = new ArrayList<>();

    private Recordings(Path directory, int windows, @Nullable WindowDirectories common) {
        this.directory = directory;
        this.windows = windows;
        this.common = common;
    }

    /**
     * Creates recordings of processes that are watched by themselves.
     *
     * @param windows the number of windows in total, at least 1
     * @throws org.naklab.lab.core.timeline.DetectException the directory cannot be made, or holds a window already
     */
    static Recordings together(Path directory, int windows) {
        return new Recordings(directory, windows, WindowDirectories.of(directory, windows));
    }

    /**
     * Creates recordings of the processes of a unit.
     *
     * @param windows the number of windows of each process, at least 1
     */
    static Recordings ofUnit(Path directory, int windows) {
        return new Recordings(directory, windows, null);
    }

    /** Returns the directories for a process that is attached to now. */
    WindowDirectories of(WatchTarget target) {
        if (common != null) {
            return common;
        }
        WindowDirectories directories = WindowDirectories.of(directory.resolve(target.directoryName()), windows);
        ofMembers.add(directories);
        return directories;
    }

    /** Returns whether all windows were written, of a unit those of one process, and those that have begun. */
    boolean isComplete(Collection<WatchSession> sessions) {
        return common != null
                ? !common.hasMore() && sessions.stream().allMatch(WatchSession::isRecorded)
                : ofMembers.stream().anyMatch(each -> !each.hasMore())
                        && sessions.stream().noneMatch(WatchSession::isTripped);
    }
}
