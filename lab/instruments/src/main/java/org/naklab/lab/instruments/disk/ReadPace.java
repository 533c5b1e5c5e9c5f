package org.naklab.lab.instruments.disk;

import java.util.Locale;
import org.naklab.lab.core.Units;

/**
 * Tells how fast a process may read from a disk, by the figures of the kernel.
 *
 * <p>The kernel dispatches the reads of a limited group one after the other. A thread that misses pages reads them one after the other, too; if other threads keep the budget spent, each of
 * its reads waits behind one of each of them. Only the first comes at any time between two dispatches, so that it waits half an interval less. The kernel grants the budget in slices of a
 * tenth of a second (block/blk-throttle.c), in each of them whole reads: of 14 a second, it lets 10 through.
 *
 * @param readMs a read takes so long on the disk itself, ms
 * @param readsPerSecond the limit of the control group; 0: none
 * @param queued threads of the group that waited for a disk at the same time, on average
 */
public record ReadPace(double readMs, long readsPerSecond, double queued) {
    private static final long SLICES_PER_SECOND = 10;
    /** With fewer threads in the queue on average, the budget is not spent all the time. */
    private static final double SPENT = 0.5;

    /** Returns the pace of a process without a limit. */
    public static ReadPace ofDisk(double readMs) {
        return new ReadPace(readMs, 0, 0);
    }

    /** Returns whether the reads of the group have a limit. */
    public boolean isLimited() {
        return readsPerSecond > 0;
    }

    /** Returns how long a thread waits that begins now to read so many times, one read after the other, ms. */
    public double waitMs(int reads) {
        return lengthMs(reads, queued >= SPENT ? 0 : readsPerSecond / SLICES_PER_SECOND);
    }

    /** Returns how long a thread would wait if other reads of the group had spent the budget, as under a shortage of memory, ms. */
    public double shortMs(int reads) {
        return lengthMs(reads, 0);
    }

    private double lengthMs(int reads, long unspent) {
        double onDiskMs = reads * readMs;
        if (!isLimited() || reads <= unspent) {
            return onDiskMs;
        }
        double turns = queued < SPENT ? reads - unspent : queued + 0.5 + (reads - 1) * (queued + 1);
        return onDiskMs + Units.MS_PER_S * turns / servedPerSecond();
    }

    /** With less than one read a slice, the kernel waits for as many slices as one read takes. */
    private double servedPerSecond() {
        return readsPerSecond < SLICES_PER_SECOND
                ? readsPerSecond
                : readsPerSecond / SLICES_PER_SECOND * SLICES_PER_SECOND;
    }

    /** Returns the figures for a sentence. */
    public String words() {
        if (!isLimited()) {
            return String.format(Locale.ROOT, "%.1f ms a read", readMs);
        }
        return queued < SPENT
                ? "the control group may read " + readsPerSecond + " times a second"
                : String.format(
                        Locale.ROOT,
                        "the control group may read %d times a second, and %.1f other reads wait",
                        readsPerSecond,
                        queued);
    }
}
