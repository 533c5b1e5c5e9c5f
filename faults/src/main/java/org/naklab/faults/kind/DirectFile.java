package org.naklab.faults.kind;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.naklab.faults.FaultException;

/** A file that is read block by block past the page cache. It loses its name at once: nothing of it stays. One thread only. */
final class DirectFile implements AutoCloseable {
    /** What every disk's sector divides. */
    private static final int BLOCK_BYTES = 4_096;

    private static final int BLOCKS = 256;

    private final FileChannel channel;
    private final ByteBuffer block =
            ByteBuffer.allocateDirect(2 * BLOCK_BYTES).alignedSlice(BLOCK_BYTES).limit(BLOCK_BYTES);
    private int next;

    private DirectFile(FileChannel channel) {
        this.channel = channel;
    }

    static DirectFile create(Path directory) {
        try {
            Path path = Files.createTempFile(directory, "naklab-reads-", ".tmp");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.allocate(BLOCKS * BLOCK_BYTES));
                file.force(true);
            }
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
            Files.delete(path);
            DirectFile direct = new DirectFile(channel);
            // Links the native methods now: their look-up reads symbol tables that may be wanted out of memory later.
            direct.readBlock();
            return direct;
        } catch (IOException | UnsupportedOperationException e) {
            throw new FaultException("cannot read past the page cache in " + directory + ": " + e.getMessage(), e);
        }
    }

    void readBlock() throws IOException {
        block.rewind();
        channel.read(block, (long) next * BLOCK_BYTES);
        next = (next + 1) % BLOCKS;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
