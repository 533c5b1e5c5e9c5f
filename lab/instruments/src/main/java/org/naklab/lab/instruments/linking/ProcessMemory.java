package org.naklab.lab.instruments.linking;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads the memory of a process, by {@code /proc/PID/mem}; the process goes on. */
final class ProcessMemory implements AutoCloseable {
    private final FileChannel channel;

    private ProcessMemory(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens it. @throws IOException the process is gone, or may not be looked at */
    static ProcessMemory of(Path process) throws IOException {
        return new ProcessMemory(FileChannel.open(process.resolve("mem")));
    }

    /** Reads as many bytes as are mapped there, at most a length. @throws IOException none are */
    ByteBuffer read(long address, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            int count;
            try {
                count = channel.read(buffer, address + buffer.position());
            } catch (IOException e) {
                if (buffer.position() == 0) {
                    throw e;
                }
                break;
            }
            if (count <= 0) {
                break;
            }
        }
        return buffer.flip();
    }

    long word(long address) throws IOException {
        ByteBuffer word = read(address, Long.BYTES);
        if (word.remaining() < Long.BYTES) {
            throw new IOException("nothing is mapped at 0x" + Long.toHexString(address));
        }
        return word.getLong(0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
