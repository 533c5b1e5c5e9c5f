package org.naklab.lab.runs.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.StartRecord;

/**
 * {@code started.json}: what is known of a run before it begins. The lab that runs it holds a lock on the file, which ends with the lab
 * however that ends, so that others can tell a run that goes on from one whose lab was killed. The file goes when {@code run.json} comes.
 */
public final class StartedRun implements AutoCloseable {
    public static final String NAME = "started.json";

    private final Path file;
    private final FileChannel channel;

    private StartedRun(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Writes the file and locks it.
     *
     * @throws IOException it cannot be written or locked
     */
    public static StartedRun begin(Path directory, StartRecord record) throws IOException {
        Path file = directory.resolve(NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
            ByteBuffer content = ByteBuffer.wrap((Json.pretty(record) + "\n").getBytes(StandardCharsets.UTF_8));
            while (content.hasRemaining()) {
                channel.write(content);
            }
            return new StartedRun(file, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The run has left its own record. */
    public void ended() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Returns whether the lab that held the lock of a file has ended. The lock taken by this test is released when the channel is closed. */
    public static boolean isAbandoned(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock(0, Long.MAX_VALUE, true);
            return lock != null;
        } catch (OverlappingFileLockException itIsThisProcess) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close " + file, e);
        }
    }
}
