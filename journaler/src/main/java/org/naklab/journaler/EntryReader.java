package org.naklab.journaler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a journal's records as they lie, file after file, broken or not; what they mean is for the caller to judge. */
final class EntryReader implements AutoCloseable {
    private final Path directory;
    private final RecordChain chain;
    private final List<FileEnd> endedFiles = new ArrayList<>();
    private CycleFile file;
    private CycleFile.Step lastStep = CycleFile.Step.NOTHING_YET;
    private long damaged;

    /**
     * Tells where a file was read to.
     *
     * @param position where the next record would be
     * @param step what is there
     */
    record FileEnd(Path file, long position, CycleFile.Step step) {}

    EntryReader(Path directory) {
        this.directory = directory;
        chain = new RecordChain(directory);
        file = new CycleFile(JournalDirectory.cycleFiles(directory).get(0));
        file.requireStore();
    }

    /**
     * Reads the next record with a message.
     *
     * @return false when there is none, or none yet: ask again to follow a journal that is being written
     */
    boolean next(JournalEntry entry) {
        while (nextOfAnyKind(entry)) {
            if (!entry.isFeed() || entry.isDamaged()) {
                return true;
            }
        }
        return false;
    }

    private boolean nextOfAnyKind(JournalEntry entry) {
        CycleFile.Step step = file.next(entry);
        while (step == CycleFile.Step.END_OF_FILE && toNextFile()) {
            step = file.next(entry);
        }
        lastStep = step;
        if (step != CycleFile.Step.ENTRY) {
            return false;
        }
        chain.accept(entry);
        if (entry.isDamaged()) {
            damaged++;
        }
        return true;
    }

    /** Returns whether the last record that was looked for is there but unfinished. */
    boolean isEntryBegun() {
        return lastStep == CycleFile.Step.BEGUN;
    }

    Path directory() {
        return directory;
    }

    /** Records so far whose bytes are not those that were written after the record before them. */
    long damaged() {
        return damaged;
    }

    /** The journal's format, 1 or 2; 0 before the first record. */
    int formatVersion() {
        return chain.version();
    }

    /** The feed that the journal names; 0 while it names none. */
    long feedId() {
        return chain.feedId();
    }

    /** The files that were read, and how far; the last one is the one where no more was found. */
    List<FileEnd> readFiles() {
        List<FileEnd> files = new ArrayList<>(endedFiles);
        files.add(new FileEnd(file.path(), file.position(), lastStep));
        return files;
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
        endedFiles.add(new FileEnd(file.path(), file.position(), CycleFile.Step.END_OF_FILE));
        file.close();
        file = new CycleFile(next);
        return true;
    }

    private @Nullable Path successor(List<Path> files) {
        int index = files.indexOf(file.path());
        return index + 1 < files.size() ? files.get(index + 1) : null;
    }
}
