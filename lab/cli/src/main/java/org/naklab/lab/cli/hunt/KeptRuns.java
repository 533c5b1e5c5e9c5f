package org.naklab.lab.cli.hunt;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The run directories that a hunt keeps: those of the hits, and that of the latest run without one, to compare them with. If they take more
 * than their space, the journals go first, then the hits from the oldest one on. The latest hit stays in any case, without its
 * journal if necessary.
 */
public final class KeptRuns {
    private static final String JOURNAL = "journal";

    private final long maxBytes;
    private final RunFiles disk;
    private final Deque<Path> hits = new ArrayDeque<>();
    private @Nullable Path miss;

    /**
     * Keeps nothing yet.
     *
     * @param maxBytes of all that is kept
     */
    public KeptRuns(long maxBytes, RunFiles disk) {
        this.maxBytes = maxBytes;
        this.disk = disk;
    }

    /** Takes a run that has what the hunt is after. */
    public void addHit(Path run) {
        hits.add(run);
        trim();
    }

    /** Takes a run that has not, in the place of the one before. */
    void addMiss(Path run) {
        if (miss != null) {
            disk.forget(miss);
        }
        miss = run;
        trim();
    }

    /** Returns the hits whose directories are still there, in order. */
    List<Path> hits() {
        return List.copyOf(hits);
    }

    /** Returns the latest run that was no hit. */
    Optional<Path> miss() {
        return Optional.ofNullable(miss);
    }

    /** Returns the bytes of all. */
    long bytes() {
        return all().stream().mapToLong(disk::bytes).sum();
    }

    private List<Path> all() {
        List<Path> all = new ArrayList<>(hits);
        miss().ifPresent(all::add);
        return all;
    }

    private void trim() {
        for (Path run : all()) {
            Path journal = run.resolve(JOURNAL);
            boolean isLatestHit = run.equals(hits.peekLast());
            if (!isLatestHit && bytes() > maxBytes && Files.exists(journal)) {
                disk.delete(journal);
            }
        }
        while (hits.size() > 1 && bytes() > maxBytes) {
            disk.forget(hits.remove());
        }
        Path latest = hits.peekLast();
        if (latest != null && bytes() > maxBytes && Files.exists(latest.resolve(JOURNAL))) {
            disk.delete(latest.resolve(JOURNAL));
        }
    }
}
