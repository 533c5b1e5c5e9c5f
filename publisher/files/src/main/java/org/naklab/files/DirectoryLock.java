package org.naklab.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a {@link PrivateDirectory}: shared by the processes that use it, and ended by the kernel when they do. To delete an
 * orphan takes the lock exclusively.
 *
 * <p>A process loses all its locks of a file with the first channel of that file that it closes. So each file is opened once in a
 * JVM, and a directory that this JVM holds is never opened to be cleared. {@link PrivateDirectory} calls this class under one monitor.
 */
final class DirectoryLock {
    static final Path NAME = Path.of("lock");

    private static final Map<Path, FileChannel> HELD = new HashMap<>();
    private static final Map<Path, FileLock> JOINED = new HashMap<>();

    private DirectoryLock() {}

    /**
     * Makes and holds the lock of a new directory.
     *
     * @return false when an orphans' clearing took the directory for one, and has deleted it
     */
    static boolean createIn(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (NoSuchFileException e) {
            return false;
        }
        if (shared(channel) != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            HELD.put(directory, channel);
            return true;
        }
        channel.close();
        return false;
    }

    /** Holds the lock that another process made; does nothing if there is none, or if this JVM holds it. */
    static void join(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        Path real = directory.toRealPath();
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS) || HELD.containsKey(real) || JOINED.containsKey(real)) {
            return;
        }
        Set<OpenOption> options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileChannel channel = FileChannel.open(file, options);
        FileLock lock = shared(channel);
        if (lock == null) {
            channel.close();
            throw new IOException(directory + " is being deleted: the process that made it is dead");
        }
        JOINED.put(real, lock);
    }

    /** Gives up the locks that were joined; where no other process holds one, {@code last} is called with the lock held. */
    static void leave(Orphan last) throws IOException {
        for (Map.Entry<Path, FileLock> joined : Map.copyOf(JOINED).entrySet()) {
            JOINED.remove(joined.getKey());
            FileLock lock = joined.getValue();
            try (FileChannel channel = lock.channel()) {
                lock.release();
                if (channel.tryLock() != null) {
                    last.delete(joined.getKey());
                }
            }
        }
    }

    /** Tells what is done with a directory that nobody holds any more. */
    interface Orphan {
        void delete(Path directory) throws IOException;
    }

    static void release(Path directory) throws IOException {
        FileChannel channel = HELD.remove(directory);
        if (channel != null) {
            channel.close();
        }
    }

    static boolean isHeldHere(Path directory) {
        return HELD.containsKey(directory) || JOINED.containsKey(directory);
    }

    private static @Nullable FileLock shared(FileChannel channel) throws IOException {
        return channel.tryLock(0, Long.MAX_VALUE, true);
    }
}
