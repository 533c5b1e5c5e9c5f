package org.naklab.lab.run;

import java.util.List;
import org.naklab.lab.scenario.SocketReading;

/** Watches the UDP sockets of a run from outside. */
interface SocketWatch extends AutoCloseable {
    /** Whether it can see anything here; if not, its readings are empty. */
    boolean canSee();

    /** What was seen of each socket so far. */
    List<SocketReading> readings();

    @Override
    void close();
}
