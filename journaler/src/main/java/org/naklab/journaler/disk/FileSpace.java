package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;
import net.openhft.chronicle.queue.impl.single.PrecreatedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Provides what the files of a journal need on disk: blocks ahead of the writer, open-file descriptors for the next file, and the page cache behind the
 * writer. Decides when the next file begins. The appending thread only; allocates nothing but when a file begins.
 */
public final class FileSpace implements AutoCloseable {
    private final Roll roll;
    private final ReceiveTime receiveTime;
    private final BlocksAhead blocks;
    private final SpareDescriptors spares = new SpareDescriptors();
    /** {@code null}: the kernel decides on the pages. */
    private final @Nullable PagesBehind pages;

    private long fileEndMs;
    private boolean isFileBegun;
    private boolean isRolling;
    private long rollBeganNs;

    /** Knows the files by their times, and takes note of a roll. */
    public interface Roll {
        /** Returns the file to which a record belongs; the time is in milliseconds since the epoch. */
        Path file(long timeMs);

        /** Returns when the file of that time ends, in milliseconds since the epoch. */
        long fileEndMs(long timeMs);

        /** Handles the end of a roll; both times are those of {@link System#nanoTime}. */
        void onRoll(long beginNs, long endNs);
    }

    /** Takes the reserve of descriptors; there is no file yet. */
    public FileSpace(Roll roll, ReceiveTime receiveTime, Disk disk, PageCachePolicy policy) {
        this.roll = roll;
        this.receiveTime = receiveTime;
        blocks = new BlocksAhead(disk);
        pages = policy == PageCachePolicy.POLITE ? new PagesBehind() : null;
    }

    /**
     * Allocates the first blocks of the file that belongs to the current time.
     *
     * @throws IOException if they cannot be had
     */
    public void beginFile() throws IOException {
        long timeMs = receiveTime.currentTimeMillis();
        Path file = roll.file(timeMs);
        // Chronicle takes a file of this name in place of a new one.
        blocks.begin(PrecreatedFiles.preCreatedFile(file.toFile()).toPath(), file);
        fileEndMs = roll.fileEndMs(timeMs);
        isFileBegun = false;
    }

    /**
     * Makes room for the next record: in a new file if the time of this one is over and there are descriptors for it, otherwise in this one.
     *
     * @param position of the writer, in bytes of this file
     * @return whether the next record begins a file
     * @throws IOException if there are no blocks; nothing was written then
     */
    public boolean makeRoom(long position) throws IOException {
        if (receiveTime.latestMs() >= fileEndMs && spares.isComplete()) {
            rollBeganNs = System.nanoTime();
            isRolling = true;
            spares.lend(SpareDescriptors.ROLL);
            receiveTime.resume();
            beginFile();
        } else {
            receiveTime.holdAt(fileEndMs - 1);
            blocks.reach(position);
        }
        return isRolling;
    }

    /** Takes note of a written record; the first one of a file ends the roll. */
    public void onWritten() {
        if (isRolling) {
            isRolling = false;
            spares.takeBack(SpareDescriptors.ROLL);
            roll.onRoll(rollBeganNs, System.nanoTime());
        }
    }

    /**
     * Unmaps the blocks that the writer has left, and drops their pages if the policy says so.
     *
     * @param position of the writer, in bytes of this file
     * @throws IOException if the disk does not take the pages
     */
    public void leave(QueueAppender appender, long position) throws IOException {
        appender.leaveBlocks(position, spares);
        if (pages == null || position == 0) {
            return;
        }
        if (!isFileBegun) {
            beginPages();
        }
        if (pages.isDue(position)) {
            pages.advance(appender, position);
        }
    }

    /**
     * Begins with the pages of a file, which has its name from its first record on.
     *
     * @throws IOException if the file cannot be opened
     */
    public void beginPages() throws IOException {
        if (pages != null) {
            spares.lend(SpareDescriptors.PAGES);
            try {
                pages.begin(blocks.file());
            } finally {
                spares.takeBack(SpareDescriptors.PAGES);
            }
        }
        isFileBegun = true;
    }

    /** Returns the file that is written. */
    public Path file() {
        return blocks.file();
    }

    /** Lets go of blocks and descriptors, but not of the pages, which the mapping may still need. Does nothing a second time. */
    public void release() {
        spares.close();
        blocks.close();
    }

    @Override
    public void close() {
        release();
        if (pages != null) {
            pages.close();
        }
    }
}
