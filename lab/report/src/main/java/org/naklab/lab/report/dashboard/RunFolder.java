package org.naklab.lab.report.dashboard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LabException;

/**
 * One directory below the runs, held open. Only what lies in it itself is opened: no link is followed, and nothing is read that is not a
 * regular file, so that no name leads out of the runs and none makes its reader wait.
 */
final class RunFolder implements AutoCloseable {
    private final SecureDirectoryStream<Path> entries;

    private RunFolder(SecureDirectoryStream<Path> entries) {
        this.entries = entries;
    }

    /** The directory of all runs, by whatever path its owner named. */
    @SuppressWarnings("StreamResourceLeak") // Closed with the folder that holds it.
    static RunFolder open(Path runs) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(runs);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return new RunFolder(secure);
        }
        stream.close();
        throw new LabException("the file system of " + runs + " cannot be read without following links");
    }

    /** A directory in this one; {@code null}: there is none, or it is something else. */
    @Nullable
    RunFolder child(String name) throws IOException {
        BasicFileAttributes attributes = attributes(name);
        if (attributes == null || !attributes.isDirectory() || name.equals(".") || name.equals("..")) {
            return null;
        }
        try {
            return new RunFolder(entries.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
            return null;
        }
    }

    /** Names of the directories in this one. */
    List<String> children() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path entry : entries) {
            String name = entry.getFileName().toString();
            BasicFileAttributes attributes = attributes(name);
            if (attributes != null && attributes.isDirectory()) {
                names.add(name);
            }
        }
        return names;
    }

    /** Returns the attributes of an entry itself, not of the target of a link; {@code null} if the entry does not exist. */
    @Nullable
    BasicFileAttributes attributes(String name) throws IOException {
        try {
            return entries.getFileAttributeView(Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
            return null;
        }
    }

    /** A regular file in this directory; {@code null}: there is none, it is something else, or it may not be read. */
    @Nullable
    FileChannel file(String name) throws IOException {
        BasicFileAttributes attributes = attributes(name);
        if (attributes == null || !attributes.isRegularFile()) {
            return null;
        }
        try {
            return (FileChannel)
                    entries.newByteChannel(Path.of(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException | AccessDeniedException e) {
            return null;
        }
    }

    /** A small file's content; {@code null}: as {@link #file}, or it is larger than that. */
    byte @Nullable [] content(String name, int maxBytes) throws IOException {
        try (FileChannel file = file(name)) {
            if (file == null || file.size() > maxBytes) {
                return null;
            }
            byte[] content = Channels.newInputStream(file).readNBytes(maxBytes + 1);
            return content.length > maxBytes ? null : content;
        }
    }

    /** A file's first bytes; its position stays where it was. */
    static byte[] head(FileChannel file, int bytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(bytes);
        int read = 0;
        while (head.hasRemaining() && read >= 0) {
            read = file.read(head, head.position());
        }
        return java.util.Arrays.copyOf(head.array(), head.position());
    }

    @Override
    public void close() throws IOException {
        entries.close();
    }
}
