package org.naklab.faults.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Child process: yields twice through the lazy library and prints both measurements. */
final class YieldProbe {
    private YieldProbe() {}

    /** Arguments: directory of the libraries, then any of {@code evict}, {@code pre-touch}. */
    public static void main(String[] arguments) throws IOException {
        LazyYield lazyYield = LazyYield.load(NativeLibraries.in(Path.of(arguments[0])));
        System.out.println("bound=" + LazyYield.isSlotBound());
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i].equals("evict")) {
                System.out.println("advisedBytes=" + LazyYield.evict());
            } else if (arguments[i].equals("pre-touch")) {
                System.out.println("lockedBytes=" + lazyYield.preTouch().lockedBytes());
                System.out.println("kernelLockedKb=" + kernelLockedKb());
            }
        }
        long waitedBeforeNs = waitedNs();
        lazyYield.yieldOnce();
        long waitedNs = waitedNs() - waitedBeforeNs;
        YieldMeasurement first = lazyYield.measurement();
        lazyYield.yieldOnce();
        YieldMeasurement second = lazyYield.measurement();
        System.out.println("bound=" + LazyYield.isSlotBound());
        System.out.println("first=" + first);
        System.out.println("second=" + second);
        System.out.println("firstNs=" + first.durationNs());
        System.out.println("firstWaitedNs=" + waitedNs);
        System.out.println("firstMajorFaults=" + first.majorFaults());
        System.out.println("secondNs=" + second.durationNs());
        System.out.println("beginNs=" + first.beginNs());
    }

    /** Memory of this process that the kernel counts as locked, kB. */
    private static long kernelLockedKb() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmLck:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    /** Time that this thread was ready to run and the processors were busy with others, ns since it began. */
    private static long waitedNs() throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ", -1)[1]);
    }
}
