package org.naklab.lab.instruments.threads;

/** A JVM whose first thread waits again and again, for longer than a moment, until it is ended. */
public final class WaitingProcess {
    private WaitingProcess() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println("ready");
        while (true) {
            Thread.sleep(20);
        }
    }
}
