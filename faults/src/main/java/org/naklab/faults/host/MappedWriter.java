package org.naklab.faults.host;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;
import org.naklab.faults.FaultException;
import org.naklab.faults.ProofLog;

/**
 * Writes one byte to every page of a mapped file, over and over. The file loses its name as soon as it is open, so that nothing
 * of it stays when the process ends in whatever way.
 */
final class MappedWriter implements AutoCloseable {
    static final String WRITTEN = "writtenBytes";
    private static final int PAGE_BYTES = 4_096;
    private static final long SEGMENT_BYTES = 64 << 20;
    private static final long JOIN_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(30);

    private final long sizeBytes;
    private final ProofLog log;
    private final List<MappedByteBuffer> segments = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "fault-mapped-writer");
    private volatile boolean running = true;

    MappedWriter(Path directory, long sizeBytes, ProofLog log) {
        this.sizeBytes = sizeBytes;
        this.log = log;
        try {
            refuseWhenFull(directory, sizeBytes);
            Path path = Files.createTempFile(directory, "naklab-pressure-", ".tmp");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                Files.delete(path);
                for (long offset = 0; offset < sizeBytes; offset += SEGMENT_BYTES) {
                    long lengthBytes = Math.min(SEGMENT_BYTES, sizeBytes - offset);
                    segments.add(file.map(FileChannel.MapMode.READ_WRITE, offset, lengthBytes));
                }
            }
        } catch (IOException e) {
            throw new FaultException("cannot map a file of " + sizeBytes + " bytes in " + directory, e);
        }
    }

    /** A mapped page that the disk has no room for ends the process, not the write. */
    private static void refuseWhenFull(Path directory, long sizeBytes) {
        long usableBytes = directory.toFile().getUsableSpace();
        if (usableBytes / 2 < sizeBytes) {
            throw new FaultException(
                    directory + " must have room for twice the mapped file: " + usableBytes + " bytes free");
        }
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        byte mark = 1;
        while (running) {
            long beginNs = System.nanoTime();
            for (MappedByteBuffer segment : segments) {
                write(segment, mark);
            }
            if (running) {
                log.fired(beginNs, System.nanoTime(), "every page of the mapped file was written");
                log.add(WRITTEN, sizeBytes);
                mark++;
            }
        }
    }

    private void write(MappedByteBuffer segment, byte mark) {
        for (int offset = 0; offset < segment.capacity() && running; offset += PAGE_BYTES) {
            segment.put(offset, mark);
        }
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join(JOIN_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new FaultException("the writer of the mapped file is stuck in a page fault; its file stays mapped");
        }
        segments.forEach(IoUtil::unmap);
        segments.clear();
    }
}
