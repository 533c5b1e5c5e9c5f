package org.naklab.journaler.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Makes the calls of the file system that a journal's promises rest on. */
public interface Disk {
    /**
     * Allocates the blocks of a range of a file, creates the file when it is missing, and makes it longer when need be. What the
     * range holds stays; nobody else may write to it meanwhile.
     *
     * @throws IOException when the blocks cannot be had: the disk is full, a quota is reached
     */
    void allocate(Path file, long offset, long lengthBytes) throws IOException;

    /**
     * Returns the blocks of one file, which may be allocated for as long as nothing can be opened: the file is opened once. It is created when it is missing, and may
     * be renamed afterwards.
     *
     * @throws IOException when the file cannot be opened
     */
    default FileBlocks blocksOf(Path file) throws IOException {
        return new FileBlocks() {
            @Override
            public void allocate(Path current, long offset, long lengthBytes) throws IOException {
                Disk.this.allocate(current, offset, lengthBytes);
            }

            /** Does nothing: each allocation opens the file. */
            @Override
            public void close() {}
        };
    }

    /** The blocks of one file. */
    interface FileBlocks extends AutoCloseable {
        /**
         * Allocates as {@link Disk#allocate} does.
         *
         * @param current the name that the file has now
         */
        void allocate(Path current, long offset, long lengthBytes) throws IOException;

        @Override
        void close();
    }

    /**
     * Forces a file's content, or a directory's list of files, to the device; an interrupt does not keep it from that.
     *
     * @throws IOException when the device does not confirm it
     */
    void force(Path path) throws IOException;
}
