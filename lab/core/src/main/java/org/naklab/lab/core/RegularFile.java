package org.naklab.lab.core;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** Opens files that a run left, and nothing else by their names: no link, no directory, no pipe or device that makes its reader wait. */
public final class RegularFile {
    private RegularFile() {}

    /**
     * Opens a file for reading.
     *
     * @throws NoSuchFileException there is none, or it is no regular file
     */
    public static FileChannel open(Path file) throws IOException {
        if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new NoSuchFileException(file.toString(), null, "is not a regular file");
        }
        return FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Reads a file.
     *
     * @throws IOException as {@link #open}, and when it is larger than {@code maxBytes}
     */
    public static byte[] read(Path file, int maxBytes) throws IOException {
        try (FileChannel channel = open(file)) {
            byte[] content = Channels.newInputStream(channel).readNBytes(maxBytes + 1);
            if (content.length > maxBytes) {
                throw new IOException(file + " has more than " + maxBytes + " bytes");
            }
            return content;
        }
    }
}
