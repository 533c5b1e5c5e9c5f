package org.naklab.lab.bench.detection;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Times a sample, many times over. Needs nothing but the class library. */
public final class SampleCostMeter {
    private SampleCostMeter() {}

    /**
     * Measures the time that one sample takes.
     *
     * @param samples how many to time, after as many that are not
     */
    public static SampleCost measure(String method, int idleSockets, int sockets, int samples, Runnable sample) {
        for (int i = 0; i < samples; i++) {
            sample.run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long[] costsNs = new long[samples];
        long allocatedBefore = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < samples; i++) {
            long beginNs = System.nanoTime();
            sample.run();
            costsNs[i] = System.nanoTime() - beginNs;
        }
        double allocated = (double) (threads.getThreadAllocatedBytes(thread) - allocatedBefore) / samples;
        Arrays.sort(costsNs);
        return new SampleCost(
                method, idleSockets, costsNs[samples / 2], costsNs[samples * 99 / 100], allocated, sockets);
    }
}
