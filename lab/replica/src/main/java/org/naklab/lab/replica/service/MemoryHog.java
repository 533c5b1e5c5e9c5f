package org.naklab.lab.replica.service;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.binding.LazyYield;
import org.naklab.lab.core.LabException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A neighbour in the container whose memory grows, and takes from the page cache what the {@link SqueezeSchedule} says. Which pages go is the
 * kernel's choice; this only looks which have gone.
 */
final class MemoryHog implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(MemoryHog.class);

    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** So that no step makes many pages go at once. */
    private static final long MOST_AT_ONCE_BYTES = 4L << 20;

    private final SqueezeSchedule narrowing;
    private final Thread thread = new Thread(this::run, "neighbour");
    private volatile boolean running = true;
    private volatile @Nullable State outcome;

    /**
     * What has come of it.
     *
     * @param roomBytes left for the page cache
     * @param ballastBytes taken
     * @param isEvicted whether what a late bind reads had gone by the end of the narrowing
     */
    record State(long roomBytes, long ballastBytes, boolean isEvicted) {}

    /** @throws LabException when there is no limit, or less room than that */
    MemoryHog(MemoryConstraint confinement) {
        ContainerMemory memory = ContainerMemory.read();
        if (memory == null) {
            throw new LabException("this process is not in a container with a memory limit: --memory is missing");
        }
        if (memory.roomBytes() < confinement.leastRoomBytes()) {
            throw new LabException("the memory limit of " + memory.limitBytes() + " bytes leaves " + memory.roomBytes()
                    + " for the page cache, and " + confinement.leastRoomBytes() + " are wanted: raise the limit");
        }
        narrowing = new SqueezeSchedule(confinement.leastRoomBytes(), System.nanoTime(), confinement.narrowForNs());
        thread.setDaemon(true);
        thread.start();
    }

    /** Once the narrowing is over; until then {@code null}. Any thread. */
    @Nullable
    State outcome() {
        return outcome;
    }

    private void run() {
        try (Ballast ballast = new Ballast()) {
            while (running) {
                long nowNs = System.nanoTime();
                long wantedBytes = narrowing.roomBytes(nowNs, LazyYield.areSymbolsInMemory());
                ContainerMemory memory = ContainerMemory.read();
                if (memory != null) {
                    long excessBytes = Math.min(memory.roomBytes() - wantedBytes, MOST_AT_ONCE_BYTES);
                    ballast.resizeTo(ballast.bytes() + excessBytes);
                    if (outcome == null && narrowing.isOver(nowNs)) {
                        outcome = new State(memory.roomBytes(), ballast.bytes(), narrowing.isEvicted());
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
}
