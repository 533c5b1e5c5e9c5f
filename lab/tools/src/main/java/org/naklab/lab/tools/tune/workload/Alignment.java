package org.naklab.lab.tools.tune.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.Units;

/**
 * Adds to a lock word of 8 bytes with an atomic instruction. A word that lies in two cache lines cannot be locked in the cache: the processor locks the bus, or raises an
 * exception that the kernel or a hypervisor handles.
 */
public final class Alignment {
    /** The system property with the distance of the word from the beginning of a cache line, bytes. */
    public static final String OFFSET = "naklab.tune.offset";

    /** Where the word begins so that half of it is in the next line, for lines of 64 bytes. */
    public static final int ACROSS_LINES = 60;

    private static final int LINE_BYTES = 64;
    private static final int BATCH = 64;
    private static final int WARM_UPS = 3;
    private static final long ROUND_NS = 100_000_000;

    private final int offset;
    private final UnsafeBuffer words;

    /**
     * Creates the workload.
     *
     * @param offset of the word, 0 to 63
     * @throws IllegalArgumentException the offset is in no line
     */
    public Alignment(int offset) {
        if (offset < 0 || offset >= LINE_BYTES) {
            throw new IllegalArgumentException("an offset of " + offset + " is not in a line of " + LINE_BYTES);
        }
        this.offset = offset;
        ByteBuffer memory = BufferUtil.allocateDirectAligned(2 * LINE_BYTES, LINE_BYTES);
        words = new UnsafeBuffer(memory);
    }

    /** Returns additions per second of each round. */
    public WorkloadResult run(int rounds) {
        List<Double> values = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            double perSecond = perSecond();
            if (round >= 0) {
                values.add(perSecond);
            }
        }
        return new WorkloadResult(values, List.of(), List.of(place(), trap()));
    }

    private double perSecond() {
        long before = words.getLong(offset);
        long beginNs = System.nanoTime();
        long endNs = beginNs;
        while (endNs - beginNs < ROUND_NS) {
            for (int i = 0; i < BATCH; i++) {
                words.getAndAddLong(offset, 1);
            }
            endNs = System.nanoTime();
        }
        return (words.getLong(offset) - before) * Units.NS_PER_S / (endNs - beginNs);
    }

    private String place() {
        int inLine = (int) ((words.addressOffset() + offset) % LINE_BYTES);
        return "the lock word begins at byte " + inLine + " of a cache line"
                + (inLine + Long.BYTES > LINE_BYTES ? " and ends in the next one" : "");
    }

    private static String trap() {
        try {
            boolean isDetected = Files.readString(Path.of("/proc/cpuinfo")).contains("split_lock_detect");
            return isDetected
                    ? "the processor reports split locks to the kernel (split_lock_detect)"
                    : "the processor does not report split locks to this kernel: only the throughput shows them";
        } catch (IOException e) {
            return "whether the processor reports split locks is unknown: " + e.getMessage();
        }
    }
}
