package org.naklab.lab.replica.service;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.LazyYield;
import org.naklab.lab.core.LabException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes memory of the container or control group until only the room of the {@link SqueezeSchedule} is left for the page cache. The kernel chooses the pages that it
 * evicts; this class only observes which are gone.
 */
final class MemoryHog implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(MemoryHog.class);

    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Bounds the pages that one step evicts. */
    private static final long MOST_AT_ONCE_BYTES = 4L << 20;
    /** Less than this is free only where the kernel evicts pages for new ones. */
    private static final long FULL_BYTES = 1L << 20;

    private final SqueezeSchedule narrowing;
    private final Thread thread = new Thread(this::run, "neighbour");
    private volatile boolean running = true;
    private volatile @Nullable State outcome;

    /**
     * The result of the squeeze.
     *
     * @param roomBytes room that is left for the page cache
     * @param ballastBytes memory that is taken
     * @param isEvicted whether the pages that a late bind reads were evicted by the end of the schedule
     * @param filledAtNs when all memory was first in use, so that the kernel has evicted pages since then, ns; 0: it never was
     */
    record State(long roomBytes, long ballastBytes, boolean isEvicted, long filledAtNs) {}

    /**
     * Starts to take memory.
     *
     * @throws LabException if the container has no memory limit, or less room than the constraint wants
     */
    MemoryHog(MemoryConstraint constraint) {
        ContainerMemory memory = ContainerMemory.read();
        if (memory == null) {
            throw new LabException("this process is in no container or control group with a memory limit");
        }
        if (memory.roomBytes() < constraint.leastRoomBytes()) {
            throw new LabException("the memory limit of " + memory.limitBytes() + " bytes leaves " + memory.roomBytes()
                    + " for the page cache, and " + constraint.leastRoomBytes() + " are wanted: raise the limit");
        }
        narrowing = new SqueezeSchedule(constraint.leastRoomBytes(), System.nanoTime(), constraint.narrowForNs());
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the result once the schedule is over, {@code null} until then. Any thread. */
    @Nullable
    State outcome() {
        return outcome;
    }

    private void run() {
        try (Ballast ballast = new Ballast()) {
            long filledAtNs = 0;
            while (running) {
                long nowNs = System.nanoTime();
                long wantedBytes = narrowing.roomBytes(nowNs, LazyYield.areSymbolsInMemory());
                ContainerMemory memory = ContainerMemory.read();
                if (memory != null) {
                    if (filledAtNs == 0 && memory.limitBytes() - memory.usedBytes() < FULL_BYTES) {
                        filledAtNs = nowNs;
                    }
                    long excessBytes = Math.min(memory.roomBytes() - wantedBytes, MOST_AT_ONCE_BYTES);
                    ballast.resizeTo(ballast.bytes() + excessBytes);
                    if (outcome == null && narrowing.isOver(nowNs)) {
                        outcome = new State(memory.roomBytes(), ballast.bytes(), narrowing.isEvicted(), filledAtNs);
                    }
                }
                LockSupport.parkNanos(PERIOD_NS);
            }
        } catch (IOException e) {
            // Without its end told the run has no proof of its pressure, and no verdict.
            LOGGER.error("the room of the page cache was not narrowed", e);
        }
    }

    @Override
    public void close() {
        running = false;
        LockSupport.unpark(thread);
    }

    /**
     * Memory that is taken, kept, and given back on request: a file in the container's memory-only file system, which is charged to the container
     * and, without swap, stays in memory. One thread.
     */
    private static final class Ballast implements AutoCloseable {
        private static final Path MEMORY_ONLY = Path.of("/dev/shm");
        private static final byte[] PIECE = new byte[1 << 18];

        private final RandomAccessFile file;
        private long bytes;

        /** Creates an empty ballast. */
        Ballast() throws IOException {
            Path path = Files.createTempFile(MEMORY_ONLY, "ballast", "");
            file = new RandomAccessFile(path.toFile(), "rw");
            Files.delete(path);
        }

        long bytes() {
            return bytes;
        }

        /** Takes or gives back memory in whole pieces, until about {@code wantedBytes} are taken. */
        void resizeTo(long wantedBytes) throws IOException {
            if (wantedBytes < bytes) {
                bytes = Math.max(0, wantedBytes);
                file.setLength(bytes);
            }
            file.seek(bytes);
            for (; wantedBytes - bytes >= PIECE.length; bytes += PIECE.length) {
                file.write(PIECE);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
