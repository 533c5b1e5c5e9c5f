package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Keeps the blocks ahead of the writer of a mapped file allocated. A mapped write to a block that the disk does not have is no
 * error of a call: the page is lost, and the thread learns of it later, by an {@link InternalError}. Not thread-safe.
 */
public final class BlocksAhead {
    /** What is allocated at a time. */
    public static final long STEP_BYTES = 1 << 20;

    /** More than one append can touch: a record, and two of Chronicle's index pages of 64 KiB. */
    public static final long MARGIN_BYTES = 256 << 10;

    private final Disk disk;
    private Path file = Path.of("");
    private long allocatedBytes;
    private long sufficesUpTo;

    public BlocksAhead(Disk disk) {
        this.disk = disk;
    }

    /**
     * Allocates the first blocks of a file that the writer has not begun.
     *
     * @param preparedFile what the file is called until the writer renames it
     * @throws IOException when they cannot be had
     */
    public void begin(Path preparedFile, Path file) throws IOException {
        this.file = preparedFile;
        allocatedBytes = 0;
        extend();
        this.file = file;
    }

    /**
     * Makes sure that a write at this position, and up to {@link #MARGIN_BYTES} beyond it, finds its blocks.
     *
     * @throws IOException when they cannot be had; the file is as it was
     */
    public void reach(long position) throws IOException {
        while (position > sufficesUpTo) {
            extend();
        }
    }

    /** The file whose blocks are allocated now. */
    public Path file() {
        return file;
    }

    private void extend() throws IOException {
        disk.allocate(file, allocatedBytes, STEP_BYTES);
        allocatedBytes += STEP_BYTES;
        sufficesUpTo = allocatedBytes - MARGIN_BYTES;
    }
}
