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
     * Forces a file's content, or a directory's list of files, to the device; an interrupt does not keep it from that.
     *
     * @throws IOException when the device does not confirm it
     */
    void force(Path path) throws IOException;
}
