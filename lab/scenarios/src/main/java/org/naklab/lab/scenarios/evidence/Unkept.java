package org.naklab.lab.scenarios.evidence;

import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.naklab.lab.core.LabException;

/**
 * Lists what was seen of a run and could not be kept. Such a run goes on and is judged all the same, and its verdict is UNKNOWN at best:
 * what is lost may have been what speaks against it. Thread-safe.
 */
public final class Unkept {
    /** More lines than this say nothing new. */
    private static final int MAX_LINES = 100;

    private final Set<String> lines = new LinkedHashSet<>();

    /** Adds a line; tells whether it is a new one. */
    public synchronized boolean add(String line) {
        return lines.size() < MAX_LINES && lines.add(line);
    }

    /** Runs what writes evidence; tells whether it could, and lists why it could not. */
    public boolean attempt(Runnable writing) {
        try {
            writing.run();
            return true;
        } catch (LabException | UncheckedIOException e) {
            add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Each one line, in the order in which they came. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
