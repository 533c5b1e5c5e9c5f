package org.naklab.testing.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps test processes that start containers apart from one that evicts the pages of their image: the kernel keeps pages that somebody uses. Whoever
 * waits for the image alone also holds the queue, so that others do not begin meanwhile. One lock a process.
 */
final class ImageLock {
    private static @Nullable FileLock held;

    private ImageLock() {}

    /** Waits until nobody has the image alone. */
    static void share() {
        held = acquire(true);
    }

    static void release() {
        try {
            if (held != null) {
                held.acquiredBy().close();
                held = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until no other process starts containers of the image. */
    static void takeAlone() {
        release();
        held = acquire(false);
    }

    private static FileLock acquire(boolean isShared) {
        try (FileChannel queue = open("queue");
                FileLock first = queue.lock()) {
            assert first.isValid();
            return open("image").lock(0, Long.MAX_VALUE, isShared);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel open(String what) throws IOException {
        String name = "naklab-test-" + ContainerEngine.image().replaceAll("[^A-Za-z0-9.-]", "_") + '.' + what;
        return FileChannel.open(
                Path.of(System.getProperty("java.io.tmpdir"), name),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }
}
