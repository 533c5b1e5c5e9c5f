package org.naklab.lab.instruments.jvm;

import java.io.IOException;

/** A JVM that collects garbage for each line on standard input, and ends with it. */
final class CollectorProcess {
    private CollectorProcess() {}

    public static void main(String[] args) throws IOException {
        System.out.println("ready");
        while (System.in.read() >= 0) {
            System.gc();
        }
    }
}
