package org.naklab.lab.tools.jitter;

/** Work on whose way a thread does not stop for a safepoint, if the compiler left out the polls. */
interface LongWay {
    /** Does so many units of it. */
    void go(int units);

    /** Returns a copy of an array, in bytes: a thread cannot be stopped in it, whatever the compiler does. */
    static LongWay copy(int mostBytes) {
        byte[] source = new byte[mostBytes];
        byte[] target = new byte[mostBytes];
        return units -> System.arraycopy(source, 0, target, 0, units);
    }

    /** Returns a counted loop, in rounds: the optimising compiler polls in it only with {@code UseCountedLoopSafepoints}. */
    static LongWay loop() {
        return new CountedLoop();
    }

    /** Each round needs the result of the one before, so that the compiler can neither leave the loop out nor do several rounds at once. */
    final class CountedLoop implements LongWay {
        private volatile int sum;

        @Override
        public void go(int units) {
            sum = added(sum, units);
        }

        private static int added(int from, int rounds) {
            int added = from;
            for (int i = 0; i < rounds; i++) {
                added = (added * 31 + i) ^ (added >>> 3);
            }
            return added;
        }
    }
}
