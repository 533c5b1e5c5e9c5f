package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads files whose names or content another user may have chosen. Opening one never waits, follows no link in its last name, and has no effect on a device: the place is opened
 * first, and read only if it is a regular file of an expected owner that is not too large.
 */
public final class ForeignFile {
    private static final int ROOT = 0;

    private ForeignFile() {}

    /**
     * Reads a whole file.
     *
     * @param owner user id that the file must have, unless it is root's
     * @param mostBytes largest size that is read
     * @throws IOException it is not there, or is not such a file; the message says why
     */
    public static byte[] read(Path file, int owner, long mostBytes) throws IOException {
        int place = Libc.open(file.toString(), Libc.O_PATH | Libc.O_NOFOLLOW | Libc.O_CLOEXEC);
        if (place < 0) {
            throw new IOException(file + ": " + Libc.lastError());
        }
        try {
            Path opened = Path.of("/proc/self/fd", Integer.toString(place));
            BasicFileAttributes found = Files.readAttributes(opened, BasicFileAttributes.class);
            if (!found.isRegularFile()) {
                throw new IOException(file + " is no regular file");
            }
            int uid = uidOf(opened);
            if (uid != owner && uid != ROOT) {
                throw new IOException(file + " belongs to user " + uid + ", not to " + owner);
            }
            if (found.size() > mostBytes) {
                throw new IOException(file + " has " + found.size() + " bytes, more than " + mostBytes);
            }
            try (InputStream in = Files.newInputStream(opened)) {
                return in.readNBytes(Math.toIntExact(mostBytes));
            }
        } finally {
            Libc.close(place);
        }
    }

    /**
     * Opens a file that a process has mapped, or that lies in the place of one.
     *
     * @throws IOException it is not there, or no regular file
     */
    public static FileChannel open(Path file) throws IOException {
        int place = Libc.open(file.toString(), Libc.O_PATH | Libc.O_CLOEXEC);
        if (place < 0) {
            throw new IOException(file + ": " + Libc.lastError());
        }
        try {
            Path opened = Path.of("/proc/self/fd", Integer.toString(place));
            if (!Files.isRegularFile(opened)) {
                throw new IOException(file + " is no regular file");
            }
            return FileChannel.open(opened);
        } finally {
            Libc.close(place);
        }
    }

    /**
     * Returns the user of a process.
     *
     * @throws IOException the process is gone
     */
    public static int userOf(long pid) throws IOException {
        return uidOf(Path.of("/proc", Long.toString(pid)));
    }

    private static int uidOf(Path file) throws IOException {
        return ((Number) Files.getAttribute(file, "unix:uid")).intValue();
    }
}
