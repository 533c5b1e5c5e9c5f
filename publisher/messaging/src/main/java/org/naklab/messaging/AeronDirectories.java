package org.naklab.messaging;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.IoUtil;

/** Names for drivers' directories; in shared memory where there is some, so that logs are never written to a disk. */
final class AeronDirectories {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final AtomicInteger COUNT = new AtomicInteger();

    static String next(String contextName) {
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(IoUtil.tmpDirName());
        long processId = ProcessHandle.current().pid();
        return parent.resolve("naklab-" + processId + "-" + COUNT.incrementAndGet() + "-" + contextName)
                .toString();
    }

    private AeronDirectories() {}
}
