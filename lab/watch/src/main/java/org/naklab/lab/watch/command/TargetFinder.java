package org.naklab.lab.watch.command;

import java.io.IOException;
import java.util.List;

/** Finds the processes to watch, also those that start later. */
@FunctionalInterface
interface TargetFinder {
    /** Returns the processes that are to be watched now. */
    List<WatchTarget> find() throws IOException;
}
