package org.naklab.journaler;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A window onto a file that may still grow, mapped for reading only. It never reaches beyond the end of the file, where a
 * mapping can be made but reading it ends the process.
 */
final class MappedWindow implements AutoCloseable {
    private static final int ALIGNMENT_BYTES = 4096;

    private final Path file;
    private final int windowBytes;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private @Nullable MappedByteBuffer mapping;
    private long startPosition;
    private long endPosition;

    MappedWindow(Path file, int windowBytes) {
        this.file = file;
        this.windowBytes = windowBytes;
    }

    /**
     * Moves the window, when need be, so that it shows the bytes given.
     *
     * @return whether the file has them
     */
    boolean shows(long position, int length) {
        if (position >= startPosition && position + length <= endPosition) {
            return true;
        }
        move(position);
        return position + length <= endPosition;
    }

    /**
     * Says in one line that a mapped file could not be read. A page that the disk does not give, or for whose zeros a full tmpfs
     * has no room, is a signal, which Java turns into this error.
     */
    static JournalException unreadable(Path file, InternalError error) {
        return new JournalException(
                "cannot read " + file + ": the disk does not give its content (" + error.getMessage() + ")", error);
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Returns where in {@link #buffer} a position of the file is, once it {@link #shows}. */
    int offset(long position) {
        return (int) (position - startPosition);
    }

    @Override
    public void close() {
        buffer.wrap(0, 0);
        startPosition = 0;
        endPosition = 0;
        if (mapping != null) {
            BufferUtil.free(mapping);
            mapping = null;
        }
    }

    private void move(long position) {
        close();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long start = position / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
            long length = Math.min(windowBytes, channel.size() - start);
            if (length <= 0) {
                return;
            }
            mapping = channel.map(MapMode.READ_ONLY, start, length);
            buffer.wrap(mapping);
            startPosition = start;
            endPosition = start + length;
        } catch (IOException e) {
            throw new JournalException("cannot read " + file + ": " + JournalDirectory.reason(e), e);
        }
    }
}
