package org.naklab.faults.process;

import java.util.concurrent.TimeUnit;

/** Child process: a thread named victim burns its processor until the parent is gone or a minute is over. */
public final class SpinningProcess {
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);

    private SpinningProcess() {}

    public static void main(String[] arguments) throws Exception {
        Thread victim = new Thread(SpinningProcess::spin, "victim");
        victim.setDaemon(true);
        victim.start();
        System.out.println("ready");
        System.in.read();
    }

    private static void spin() {
        long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < MAX_NS) {
            Thread.onSpinWait();
        }
    }
}
