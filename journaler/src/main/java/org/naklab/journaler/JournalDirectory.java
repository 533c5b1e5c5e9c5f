package org.naklab.journaler;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The directory of a journal as Chronicle Queue lays it out: one {@code .cq4} file a roll period, dated by its name. */
public final class JournalDirectory {
    /** Chronicle's own notes of which files there are; readers of the record do not need it. */
    static final String METADATA = "metadata.cq4t";

    private static final String CYCLE_FILE_SUFFIX = ".cq4";

    private JournalDirectory() {}

    /** Makes sure that a journal can begin here; a journal that exists is never added to, and none has strangers in it. */
    static void prepare(Path directory) {
        try {
            Files.createDirectories(directory);
            List<Path> entries = entries(directory);
            if (entries.stream().anyMatch(JournalDirectory::isCycleFileName)) {
                throw new JournalException(directory + " holds a journal already");
            }
            if (!entries.isEmpty()) {
                throw new JournalException("cannot create a journal in " + directory
                        + ": it needs a directory of its own, and this one holds "
                        + entries.get(0).getFileName());
            }
        } catch (IOException e) {
            throw new JournalException("cannot create a journal in " + directory + ": " + reason(e), e);
        }
        if (!Files.isWritable(directory)) {
            throw new JournalException("cannot create a journal in " + directory + ": permission denied");
        }
    }

    /**
     * The files of a journal, oldest first; regular files only.
     *
     * @throws JournalException when the directory is missing, unreadable, or holds no journal
     */
    static List<Path> cycleFiles(Path directory) {
        List<Path> files =
                list(directory).stream().filter(JournalDirectory::isCycleFile).toList();
        if (files.isEmpty()) {
            throw new JournalException(directory + " is not a journal: it holds no .cq4 file");
        }
        return files;
    }

    /**
     * All that is in the directory, by name.
     *
     * @throws JournalException when the directory is missing or unreadable
     */
    static List<Path> list(Path directory) {
        if (!Files.exists(directory)) {
            throw new JournalException(directory + " does not exist");
        }
        try {
            return entries(directory);
        } catch (IOException e) {
            throw new JournalException("cannot read journal " + directory + ": " + reason(e), e);
        }
    }

    /** Opening anything but a regular file can wait for good, and a link can lead anywhere. */
    static boolean isRegularFile(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isCycleFileName(Path file) {
        return file.toString().endsWith(CYCLE_FILE_SUFFIX);
    }

    /** Says in a few words why a file could not be used; a file system's own message is often only the file's name. */
    public static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NotDirectoryException) {
            return "not a directory";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static boolean isCycleFile(Path file) {
        return isCycleFileName(file) && isRegularFile(file);
    }

    /** Names are dates, so their order is the order of the files. */
    private static List<Path> entries(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        }
        Collections.sort(entries);
        return entries;
    }
}
