package org.naklab.journaler;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The directory of a journal as Chronicle Queue lays it out: one {@code .cq4} file a roll period, dated by its name. */
final class JournalDirectory {
    private static final String CYCLE_FILES = "*.cq4";

    private JournalDirectory() {}

    /** Makes sure that a journal can begin here; a journal that exists is never added to. */
    static void prepare(Path directory) {
        try {
            Files.createDirectories(directory);
            if (!list(directory).isEmpty()) {
                throw new JournalException(directory + " holds a journal already");
            }
        } catch (IOException e) {
            throw new JournalException("cannot create a journal in " + directory + ": " + reason(e), e);
        }
        if (!Files.isWritable(directory)) {
            throw new JournalException("cannot create a journal in " + directory + ": permission denied");
        }
    }

    /**
     * The files of a journal, oldest first.
     *
     * @throws JournalException when the directory is missing, unreadable, or holds no journal
     */
    static List<Path> cycleFiles(Path directory) {
        if (!Files.exists(directory)) {
            throw new JournalException(directory + " does not exist");
        }
        try {
            List<Path> files = list(directory);
            if (files.isEmpty()) {
                throw new JournalException(directory + " is not a journal: it holds no .cq4 file");
            }
            return files;
        } catch (IOException e) {
            throw new JournalException("cannot read journal " + directory + ": " + reason(e), e);
        }
    }

    /** Says in a few words why a file could not be used; a file system's own message is often only the file's name. */
    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NotDirectoryException) {
            return "not a directory";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Names are dates, so their order is the order of the files. */
    private static List<Path> list(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, CYCLE_FILES)) {
            stream.forEach(files::add);
        }
        Collections.sort(files);
        return files;
    }
}
