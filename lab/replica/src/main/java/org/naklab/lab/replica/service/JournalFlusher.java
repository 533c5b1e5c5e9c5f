package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the files of a journal to disk now and then, while they are written. Pages that are not on disk cannot be evicted: a
 * container whose memory they fill is killed rather than slowed down.
 */
final class JournalFlusher implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(JournalFlusher.class);

    private final Path directory;
    private final long intervalNs;
    private final Thread thread = new Thread(this::run, "journal-sync");
    private volatile boolean running = true;

    JournalFlusher(Path directory, long intervalNs) {
        this.directory = directory;
        this.intervalNs = intervalNs;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (running) {
            LockSupport.parkNanos(intervalNs);
            try {
                for (Path file : files()) {
                    sync(file);
                }
            } catch (IOException e) {
                // The journal itself fails when its disk does; here one attempt less counts for nothing.
                LOGGER.warn("the journal was not forced to disk", e);
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".cq4")).toList();
        }
    }

    private static void sync(Path file) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "r")) {
            access.getFD().sync();
        }
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
    }
}
