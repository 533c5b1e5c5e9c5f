package org.naklab.lab.instruments.series;

import java.nio.file.Path;
import org.naklab.lab.core.timeline.DetectException;

/** Something else that keeps a window when the flight recorder does: a JFR dump, perf's file. On the background thread. */
@FunctionalInterface
public interface WindowListener {
    /**
     * Writes what it has of the window, times by CLOCK_MONOTONIC, into files of the directory.
     *
     * @throws DetectException it has nothing, or cannot write it; the window is without it then
     */
    void onWindow(Path directory, long fromNs, long toNs);
}
