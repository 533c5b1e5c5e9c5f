package org.naklab.lab.runs.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.RegularFile;
import org.naklab.lab.core.Subdirectories;
import org.naklab.lab.records.RunRecord;

/** Finds the runs whose lab was killed before it could leave a record: each has no verdict, and belongs into the history all the same. */
public final class AbandonedRuns {
    private AbandonedRuns() {}

    /** Adds those below a directory to a history that does not have them yet; without any, no history is opened. */
    public static void addTo(HistoryUrl url, Path runs) {
        List<HistoryEntry> entries = in(runs);
        if (!entries.isEmpty()) {
            History history = History.open(url);
            entries.forEach(history::addIfAbsent);
        }
    }

    /** All below a directory of runs. */
    static List<HistoryEntry> in(Path runs) {
        List<HistoryEntry> entries = new ArrayList<>();
        for (Path scenario : Subdirectories.of(runs)) {
            for (Path run : Subdirectories.of(scenario)) {
                entry(run).ifPresent(entries::add);
            }
        }
        return entries;
    }

    /** Returns whether a directory is that of a run whose lab was killed: it has no record, and nobody holds the lock of its beginning. */
    public static boolean isAbandoned(Path run) {
        return entry(run).isPresent();
    }

    private static Optional<HistoryEntry> entry(Path run) {
        if (Files.exists(run.resolve(RunRecord.NAME), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (FileChannel file = RegularFile.open(run.resolve(StartedRun.NAME))) {
            if (!StartedRun.isAbandoned(file)) {
                return Optional.empty();
            }
            byte[] content = Channels.newInputStream(file).readNBytes(RunFileReader.MAX_BYTES);
            return Optional.of(RunFileReader.of(run, content, null));
        } catch (NoSuchFileException | HistoryException notOfThisProgram) {
            // An older version's, or killed within the millisecond in which it was written: it cannot be told from a
            // run that begins.
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
