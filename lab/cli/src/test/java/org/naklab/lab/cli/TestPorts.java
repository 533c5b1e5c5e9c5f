package org.naklab.lab.cli;

import java.util.concurrent.ThreadLocalRandom;
import org.naklab.messaging.MessagingException;
import org.naklab.messaging.Ports;

/** Base ports for runs that tests start, away from the range that the kernel hands out. */
final class TestPorts {
    private static final int FIRST = 23_000;
    private static final int LAST = 23_998;
    private static final int TRIES = 100;

    private TestPorts() {}

    static int free() {
        for (int i = 0; i < TRIES; i++) {
            int base = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(base)) {
                return base;
            }
        }
        throw new IllegalStateException("no free port pair from " + FIRST + " to " + LAST);
    }

    private static boolean isFree(int base) {
        try {
            Ports.requireFree(base);
            return true;
        } catch (MessagingException e) {
            return false;
        }
    }
}
