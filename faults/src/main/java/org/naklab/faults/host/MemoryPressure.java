package org.naklab.faults.host;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultProof;
import org.naklab.faults.ProofLog;

/** Ballast in this process's memory, and a {@link MappedWriter} for the page cache. The kernel takes both back with it. */
final class MemoryPressure implements Fault {
    private static final int CHUNK_BYTES = 8 << 20;
    private static final String RESIDENT_GAINED = "residentGainedBytes";
    private static final int PAGE_BYTES = 4_096;

    private final MemoryPressureFault.Parameters parameters;
    private final Path directory;
    private final ProofLog log = new ProofLog();
    private final List<ByteBuffer> ballast = new ArrayList<>();
    private @Nullable MappedWriter writer;
    private boolean armed;

    MemoryPressure(MemoryPressureFault.Parameters parameters, Path directory) {
        this.parameters = parameters;
        this.directory = directory;
    }

    @Override
    public void arm() {
        armed = true;
        if (parameters.residentMib() > 0) {
            long beginNs = System.nanoTime();
            long residentBefore = ProcessMemory.residentAnonymousBytes();
            takeBallast();
            log.set(RESIDENT_GAINED, ProcessMemory.residentAnonymousBytes() - residentBefore);
            log.fired(beginNs, System.nanoTime(), "ballast was touched");
        }
        if (parameters.pageCacheMib() > 0) {
            writer = new MappedWriter(directory, parameters.pageCacheBytes(), log);
            writer.start();
        }
    }

    private void takeBallast() {
        for (long leftBytes = parameters.residentBytes(); leftBytes > 0; leftBytes -= CHUNK_BYTES) {
            ballast.add(touched((int) Math.min(CHUNK_BYTES, leftBytes)));
        }
    }

    private static ByteBuffer touched(int lengthBytes) {
        try {
            ByteBuffer chunk = ByteBuffer.allocateDirect(lengthBytes);
            for (int offset = 0; offset < lengthBytes; offset += PAGE_BYTES) {
                chunk.put(offset, (byte) 1);
            }
            return chunk;
        } catch (OutOfMemoryError e) {
            throw new FaultException("no room for the ballast: give the process a larger -XX:MaxDirectMemorySize", e);
        }
    }

    @Override
    public void disarm() {
        if (!armed) {
            return;
        }
        armed = false;
        ballast.forEach(BufferUtil::free);
        ballast.clear();
        if (parameters.residentMib() > 0) {
            Libc.trimHeap();
        }
        if (writer != null) {
            writer.close();
        }
    }

    @Override
    public FaultProof proof() {
        // Some of what was resident before may have gone in the meantime.
        boolean resident = log.figure(RESIDENT_GAINED) >= parameters.residentBytes() / 4 * 3;
        boolean written = log.figure(MappedWriter.WRITTEN) >= parameters.pageCacheBytes();
        return log.proof(
                log.firings() > 0 && resident && written,
                "memory was taken",
                "less memory became resident, or was written, than was asked for");
    }
}
