package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.process.ProcPaths;

/**
 * Reads files whose names or content another user may have chosen. Opening one never waits, follows no link in its last name, and has no effect on a device: the place is opened
 * first, and read only if it is a regular file of an expected owner that is not too large.
 */
public final class ForeignFile {
    private static final int ROOT = 0;
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int BLOCK_BYTES = 1 << 16;
    /** A library of more bytes is none. */
    private static final long MOST_MAPPED_BYTES = 4L << 30;

    private ForeignFile() {}

    /**
     * Reads a whole file.
     *
     * @param owner user id that the file must have, unless it is root's
     * @param mostBytes largest size that is read
     * @throws IOException it is not there, or is not such a file; the message says why
     */
    public static byte[] read(Path file, int owner, long mostBytes) throws IOException {
        try (InputStream in = open(file, owner, mostBytes)) {
            return in.readNBytes(Math.toIntExact(mostBytes));
        }
    }

    /**
     * Copies a whole file to a stream.
     *
     * @throws IOException as {@link #read}, it has grown beyond that size meanwhile, or it cannot be written
     */
    public static void copy(Path file, int owner, long mostBytes, OutputStream out) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (InputStream in = open(file, owner, mostBytes)) {
            long copied = 0;
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                copied += read;
                if (copied > mostBytes) {
                    throw new IOException(file + " has grown beyond " + mostBytes + " bytes");
                }
                out.write(block, 0, read);
            }
        }
    }

    private static InputStream open(Path file, int owner, long mostBytes) throws IOException {
        return at(file, Libc.O_NOFOLLOW, place -> {
            int uid = uidOf(place);
            if (uid != owner && uid != ROOT) {
                throw new IOException(file + " belongs to user " + uid + ", not to " + owner);
            }
            requireSize(file, place, mostBytes);
            return Files.newInputStream(place);
        });
    }

    private static void requireSize(Path file, Path place, long mostBytes) throws IOException {
        long size = Files.size(place);
        if (size > mostBytes) {
            throw new IOException(file + " has " + size + " bytes, more than " + mostBytes);
        }
    }

    /**
     * Opens a file of any size.
     *
     * @throws IOException it is not there, or no regular file
     */
    public static FileChannel open(Path file) throws IOException {
        return at(file, 0, FileChannel::open);
    }

    /**
     * Is a file that is open.
     *
     * @param isOfOthers whether a user other than that of this process, and than root, can change it
     */
    public record Opened(FileChannel channel, boolean isOfOthers) {}

    /**
     * Opens a file of any size, and tells whether its length can be relied on.
     *
     * @throws IOException as {@link #open(Path)}
     */
    public static Opened openShared(Path file) throws IOException {
        int self = userOf(ProcessHandle.current().pid());
        return at(file, 0, place -> {
            int uid = uidOf(place);
            int mode = ((Number) Files.getAttribute(place, "unix:mode")).intValue();
            boolean isOfOthers = (uid != self && uid != ROOT) || (mode & WRITABLE_BY_OTHERS) != 0;
            return new Opened(FileChannel.open(place), isOfOthers);
        });
    }

    /**
     * Opens a program or a library that a process has mapped, or that lies in the place of one. It may belong to anyone: whoever installed it.
     *
     * @throws IOException as {@link #open(Path)}, or it has more than 4 GiB
     */
    public static FileChannel openMapped(Path file) throws IOException {
        return at(file, 0, place -> {
            requireSize(file, place, MOST_MAPPED_BYTES);
            return FileChannel.open(place);
        });
    }

    /**
     * Opens such a file for {@code pread}.
     *
     * @param flags of {@code open(2)}, beside those for reading
     * @return its descriptor, which the caller closes
     * @throws IOException as {@link #openMapped}, or it cannot be opened with these flags
     */
    public static int openMapped(Path file, int flags) throws IOException {
        return at(file, 0, place -> {
            requireSize(file, place, MOST_MAPPED_BYTES);
            int descriptor = Libc.open(place.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC | flags);
            if (descriptor < 0) {
                throw new IOException(file + ": " + Libc.lastError());
            }
            return descriptor;
        });
    }

    /**
     * Returns the ways to a file that a process has mapped: by its mapping, which works for a deleted file, too, and by its path in the root of the process, which needs
     * fewer rights. A path that the locale cannot write is no way.
     *
     * @param process its directory in {@code /proc}
     */
    public static List<Path> waysTo(Path process, MemoryMapping mapping) {
        List<Path> ways = new ArrayList<>(List.of(process.resolve("map_files").resolve(mapping.range())));
        try {
            ways.add(inRoot(process, mapping.path()));
        } catch (InvalidPathException e) {
            // The mapping alone leads there.
            return ways;
        }
        return ways;
    }

    /**
     * Returns where a file of another mount namespace is, as seen from here.
     *
     * @param process directory in {@code /proc} of a process in that namespace
     * @param path absolute
     */
    public static Path inRoot(Path process, String path) {
        return process.resolve("root").resolve(path.substring(1));
    }

    /** Returns the path itself if something has that name here, or else where the process has it. */
    public static Path reachable(long pid, Path path) {
        return Files.exists(path) ? path : inRoot(ProcPaths.of(pid), path.toString());
    }

    /** Opens the place of a file that is known to be a regular one then. */
    private interface Opener<T> {
        T open(Path place) throws IOException;
    }

    private static <T> T at(Path file, int flags, Opener<T> opener) throws IOException {
        int descriptor = Libc.open(file.toString(), Libc.O_PATH | Libc.O_CLOEXEC | flags);
        if (descriptor < 0) {
            throw new IOException(file + ": " + Libc.lastError());
        }
        try {
            Path place = Path.of("/proc/self/fd", Integer.toString(descriptor));
            if (!Files.isRegularFile(place)) {
                throw new IOException(file + " is no regular file");
            }
            return opener.open(place);
        } finally {
            Libc.close(descriptor);
        }
    }

    /**
     * Returns the user of a process.
     *
     * @throws IOException the process is gone
     */
    public static int userOf(long pid) throws IOException {
        return uidOf(ProcPaths.of(pid));
    }

    /**
     * Returns the group of a process.
     *
     * @throws IOException the process is gone
     */
    public static int groupOf(long pid) throws IOException {
        return ((Number) Files.getAttribute(ProcPaths.of(pid), "unix:gid")).intValue();
    }

    /**
     * Proves that what another user's process writes into a directory can be read as files.
     *
     * @param suffix of the names that will be read
     * @throws IOException one of them is no regular file of that user, or the directory is not
     */
    public static void requireFilesIn(Path directory, String suffix, int owner) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is not a directory");
        }
        int actual = uidOf(directory);
        if (actual != owner) {
            throw new IOException(directory + " belongs to user " + actual + " and the process runs as user " + owner
                    + ", so its files are not read; start the process with a directory of its own user");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + suffix)) {
            for (Path file : files) {
                int uid = ((Number) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)).intValue();
                if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || uid != owner) {
                    throw new IOException(file + " is no regular file of user " + owner);
                }
            }
        }
    }

    private static int uidOf(Path file) throws IOException {
        return ((Number) Files.getAttribute(file, "unix:uid")).intValue();
    }
}
