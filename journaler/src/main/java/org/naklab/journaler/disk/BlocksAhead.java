package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks ahead of the writer of a mapped file allocated. A mapped write to a block that the disk does not have is no
 * error of a call: the page is lost, and the thread learns of it later, by an {@link InternalError}. Not thread-safe.
 */
public final class BlocksAhead implements AutoCloseable {
    /** What is allocated at a time. */
    public static final long STEP_BYTES = 1 << 20;

    /** More than one append can touch: a record, and two of Chronicle's index pages of 64 KiB. */
    public static final long MARGIN_BYTES = 256 << 10;

    private final Disk disk;
    private Path file = Path.of("");
    private Disk.@Nullable FileBlocks blocks;
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
        close();
        blocks = disk.blocksOf(preparedFile);
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

    /** Lets go of the file. Does nothing a second time. */
    @Override
    public void close() {
        if (blocks != null) {
            blocks.close();
            blocks = null;
        }
    }

    private void extend() throws IOException {
        if (blocks != null) {
            blocks.allocate(file, allocatedBytes, STEP_BYTES);
        }
        allocatedBytes += STEP_BYTES;
        sufficesUpTo = allocatedBytes - MARGIN_BYTES;
    }
}
