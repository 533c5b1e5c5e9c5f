package org.naklab.testing.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds UDP ports for tests. They lie below the range that Linux gives to sockets that ask for any port, so that no other socket of
 * the test takes them, and each is given once in a JVM. Builds that run side by side choose at random.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int LAST = 29_998;
    private static final int MAX_ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /**
     * Returns an even port that no socket has bound; the next one is free too.
     *
     * @throws IllegalStateException if none is found
     */
    public static int pair() {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST) & ~1;
            if (GIVEN.add(port) && isFree(port) && isFree(port + 1)) {
                return port;
            }
        }
        throw new IllegalStateException("no two free UDP ports from " + FIRST + " to " + LAST);
    }

    /** Returns whether no socket has bound a port; multicast sockets share one by SO_REUSEADDR, but a socket without that option is refused it. */
    public static boolean isFree(int port) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            // The port is taken, which is the answer.
            return false;
        }
    }
}
