package org.naklab.journaler.derived;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.JournalDirectory;
import org.naklab.journaler.JournalException;

/**
 * A series of files, each with a header, written through a buffer. Records are never split. Streams and not channels, because
 * an interrupt closes a channel under its writer, and agents are interrupted when they take long to close.
 */
final class RollingFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final DateTimeFormatter FILE_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path directory;
    private final String prefix;
    private final String suffix;
    private final byte[] header;
    private final RollPolicy policy;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int bufferedBytes;
    private @Nullable FileOutputStream stream;
    private long fileBytes;
    private long fileInterval;
    private int files;
    private long records;

    /**
     * @param prefix begins each name; receive time of the first record, a number and the suffix follow
     * @param header begins each file
     */
    RollingFile(Path directory, String prefix, String suffix, byte[] header, RollPolicy policy) {
        this.directory = directory;
        this.prefix = prefix;
        this.suffix = suffix;
        this.header = header.clone();
        this.policy = policy;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new JournalException("cannot create " + directory + ": " + JournalDirectory.reason(e), e);
        }
    }

    /** Appends one record, to a new file when the policy says so. */
    void append(long receiveTimestampNs, byte[] record, int length) {
        if (stream == null || isDue(receiveTimestampNs, length)) {
            roll(receiveTimestampNs);
        }
        buffer(record, length);
        records++;
    }

    /** Hands what is buffered to the operating system. */
    void flush() {
        if (stream == null || bufferedBytes == 0) {
            return;
        }
        try {
            stream.write(buffer, 0, bufferedBytes);
            bufferedBytes = 0;
        } catch (IOException e) {
            throw new JournalException("cannot write " + describe() + ": " + JournalDirectory.reason(e), e);
        }
    }

    int files() {
        return files;
    }

    long records() {
        return records;
    }

    @Override
    public void close() {
        flush();
        if (stream == null) {
            return;
        }
        try {
            stream.close();
        } catch (IOException e) {
            throw new JournalException("cannot close " + describe() + ": " + JournalDirectory.reason(e), e);
        } finally {
            stream = null;
        }
    }

    private boolean isDue(long receiveTimestampNs, int length) {
        boolean isFull = fileBytes > header.length && fileBytes + length > policy.maxBytes();
        return isFull || policy.interval(receiveTimestampNs) != fileInterval;
    }

    private void roll(long receiveTimestampNs) {
        close();
        files++;
        Path file = directory.resolve(name(receiveTimestampNs));
        try {
            Files.createFile(file);
            stream = new FileOutputStream(file.toFile());
        } catch (FileAlreadyExistsException e) {
            throw new JournalException(file + " exists already", e);
        } catch (IOException e) {
            throw new JournalException("cannot create " + file + ": " + JournalDirectory.reason(e), e);
        }
        fileBytes = 0;
        fileInterval = policy.interval(receiveTimestampNs);
        buffer(header, header.length);
    }

    /** Flushes first what would not leave room, so that a reader of the growing file sees whole records. */
    private void buffer(byte[] bytes, int length) {
        if (bufferedBytes + length > BUFFER_BYTES) {
            flush();
        }
        int copied = 0;
        while (copied < length) {
            int count = Math.min(length - copied, BUFFER_BYTES - bufferedBytes);
            System.arraycopy(bytes, copied, buffer, bufferedBytes, count);
            bufferedBytes += count;
            copied += count;
            if (copied < length) {
                flush();
            }
        }
        fileBytes += length;
    }

    private String name(long receiveTimestampNs) {
        Instant time = Instant.ofEpochSecond(0, receiveTimestampNs);
        return String.format(Locale.ROOT, "%s-%s-%06d.%s", prefix, FILE_TIME.format(time), files, suffix);
    }

    private String describe() {
        return "the " + prefix + " files in " + directory;
    }
}
