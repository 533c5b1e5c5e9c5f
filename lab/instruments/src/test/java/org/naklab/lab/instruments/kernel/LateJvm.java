package org.naklab.lab.instruments.kernel;

import java.io.IOException;

/** A JVM in which a thread runs a loop without safepoint polls, while another one requests safepoints. */
final class LateJvm {
    static final String LATE = "late";

    private static volatile long sink;

    private LateJvm() {}

    public static void main(String[] arguments) throws IOException {
        Thread late = new Thread(
                () -> {
                    while (true) {
                        sink = loop();
                    }
                },
                LATE);
        late.setDaemon(true);
        late.start();
        System.out.println("ready");
        while (System.in.read() >= 0) {
            System.gc();
            System.out.println("done");
        }
    }

    /** Counts by an int: compiled, such a loop has no polls. */
    private static long loop() {
        long sum = sink;
        for (int i = 0; i < 200_000_000; i++) {
            sum = sum * 31 + (sum >>> 7 ^ i);
        }
        return sum;
    }
}
