package org.naklab.lab.process;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.LabException;

/** Memory that is taken and kept, so that a given amount of the container's limit is left for the page cache. */
final class Ballast {
    private static final int PIECE_BYTES = 1 << 20;

    private final List<ByteBuffer> pieces = new ArrayList<>();

    /**
     * Takes what is there beyond {@code roomBytes}.
     *
     * @throws LabException when there is no limit, or less room than that
     */
    Ballast(long roomBytes) {
        CgroupMemory memory = CgroupMemory.read();
        if (memory == null) {
            throw new LabException("this process is not in a container with a memory limit: --memory is missing");
        }
        if (memory.roomBytes() < roomBytes) {
            throw new LabException("the memory limit of " + memory.limitBytes() + " bytes leaves " + memory.roomBytes()
                    + " for the page cache, and " + roomBytes + " are wanted: raise the limit");
        }
        // A direct buffer is filled with zeros when it is made, and so is in memory.
        for (long left = memory.roomBytes() - roomBytes; left >= PIECE_BYTES; left -= PIECE_BYTES) {
            pieces.add(ByteBuffer.allocateDirect(PIECE_BYTES));
        }
    }

    long bytes() {
        return (long) pieces.size() * PIECE_BYTES;
    }
}
