package org.naklab.journaler;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a journal's records as they lie, file after file, broken or not; what they mean is for the caller to judge. */
final class EntryReader implements AutoCloseable {
    private final Path directory;
    private CycleFile file;
    private boolean isEntryBegun;

    EntryReader(Path directory) {
        this.directory = directory;
        file = new CycleFile(JournalDirectory.cycleFiles(directory).get(0));
        file.requireStore();
    }

    /**
     * Reads the next record.
     *
     * @return false when there is none, or none yet: ask again to follow a journal that is being written
     */
    boolean next(JournalEntry entry) {
        CycleFile.Step step = file.next(entry);
        while (step == CycleFile.Step.END_OF_FILE && toNextFile()) {
            step = file.next(entry);
        }
        isEntryBegun = step == CycleFile.Step.BEGUN;
        return step == CycleFile.Step.ENTRY;
    }

    /** Whether the last record that was looked for is there but unfinished. */
    boolean isEntryBegun() {
        return isEntryBegun;
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() {
        file.close();
    }

    private boolean toNextFile() {
        Path next = successor(JournalDirectory.cycleFiles(directory));
        if (next == null) {
            return false;
        }
        file.close();
        file = new CycleFile(next);
        return true;
    }

    private @Nullable Path successor(List<Path> files) {
        int index = files.indexOf(file.path());
        return index + 1 < files.size() ? files.get(index + 1) : null;
    }
}
