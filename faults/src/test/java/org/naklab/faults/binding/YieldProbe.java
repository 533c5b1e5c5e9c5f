package org.naklab.faults.binding;

import java.nio.file.Path;

/** Child process: yields twice through the lazy library and prints both measurements. */
final class YieldProbe {
    private YieldProbe() {}

    /** Arguments: directory of the libraries, then any of {@code evict}, {@code pre-touch}. */
    public static void main(String[] arguments) {
        LazyYield lazyYield = LazyYield.load(NativeLibraries.in(Path.of(arguments[0])));
        System.out.println("bound=" + LazyYield.isSlotBound());
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i].equals("evict")) {
                System.out.println("advisedBytes=" + LazyYield.evict());
            } else if (arguments[i].equals("pre-touch")) {
                System.out.println("lockedBytes=" + lazyYield.preTouch().lockedBytes());
            }
        }
        lazyYield.yieldOnce();
        YieldMeasurement first = lazyYield.measurement();
        lazyYield.yieldOnce();
        YieldMeasurement second = lazyYield.measurement();
        System.out.println("bound=" + LazyYield.isSlotBound());
        System.out.println("first=" + first);
        System.out.println("second=" + second);
        System.out.println("firstNs=" + first.durationNs());
        System.out.println("firstMajorFaults=" + first.majorFaults());
        System.out.println("secondNs=" + second.durationNs());
        System.out.println("beginNs=" + first.beginNs());
    }
}
