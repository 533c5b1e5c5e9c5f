package org.naklab.lab.detect;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Times a sample, many times over. Needs nothing but the class library. */
final class SampleCostMeter {
    private static final int WARM_UP_SAMPLES = 5_000;
    private static final int SAMPLES = 5_000;

    private SampleCostMeter() {}

    static SampleCost measure(String method, int idleSockets, int sockets, Runnable sample) {
        for (int i = 0; i < WARM_UP_SAMPLES; i++) {
            sample.run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long[] costsNs = new long[SAMPLES];
        long allocatedBefore = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < SAMPLES; i++) {
            long beginNs = System.nanoTime();
            sample.run();
            costsNs[i] = System.nanoTime() - beginNs;
        }
        double allocated = (double) (threads.getThreadAllocatedBytes(thread) - allocatedBefore) / SAMPLES;
        Arrays.sort(costsNs);
        return new SampleCost(
                method, idleSockets, costsNs[SAMPLES / 2], costsNs[SAMPLES * 99 / 100], allocated, sockets);
    }
}
