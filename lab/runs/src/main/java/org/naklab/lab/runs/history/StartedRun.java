package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
import org.jspecify.annotations.Nullable;
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

    /** Tells what the file has: the record, and what holds only while the run goes on. */
    private record Written(
            @JsonUnwrapped StartRecord start,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String live) {}

    private record Shown(@Nullable String live) {}

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
        return begin(directory, record, null);
    }

    /**
     * Writes the file and locks it.
     *
     * @param live address of the page that shows the run while it goes on, if everybody on the machine may know it; {@code null}: there is none
     * @throws IOException it cannot be written or locked
     */
    public static StartedRun begin(Path directory, StartRecord record, @Nullable String live) throws IOException {
        Path file = directory.resolve(NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
            ByteBuffer content =
                    ByteBuffer.wrap((Json.pretty(new Written(record, live)) + "\n").getBytes(StandardCharsets.UTF_8));
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

    /** Returns where a run is shown while it goes on, by the content of its file; {@code null}: nowhere, or it is not told. */
    public static @Nullable String live(byte[] content) {
        try {
            Shown shown = Json.value(Json.parse(content), Shown.class);
            return shown == null ? null : shown.live();
        } catch (IOException | UncheckedIOException e) {
            // The run is listed without it.
            return null;
        }
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
