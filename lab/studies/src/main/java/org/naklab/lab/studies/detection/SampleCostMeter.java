package org.naklab.lab.studies.detection;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Times a sample, many times over. Needs nothing but the class library and HdrHistogram. */
public final class SampleCostMeter {
    /** A sample that takes longer counts as this long: only a machine that stands still makes it so. */
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int DIGITS = 3;

    private SampleCostMeter() {}

    /**
     * Measures the time that one sample takes.
     *
     * @param samples how many to time, after as many that are not
     * @return its percentiles, exact to three digits
     */
    public static SampleCost measure(String method, int idleSockets, int sockets, int samples, Runnable sample) {
        for (int i = 0; i < samples; i++) {
            sample.run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        // Allocates all its memory here: it must not count as the sample's.
        Histogram costsNs = new Histogram(LONGEST_NS, DIGITS);
        long allocatedBefore = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < samples; i++) {
            long beginNs = System.nanoTime();
            sample.run();
            costsNs.recordValue(Math.min(System.nanoTime() - beginNs, LONGEST_NS));
        }
        double allocated = (double) (threads.getThreadAllocatedBytes(thread) - allocatedBefore) / samples;
        return new SampleCost(
                method,
                idleSockets,
                costsNs.getValueAtPercentile(50),
                costsNs.getValueAtPercentile(99),
                allocated,
                sockets);
    }
}
