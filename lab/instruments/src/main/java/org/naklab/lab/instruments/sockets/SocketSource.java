package org.naklab.lab.instruments.sockets;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.sampling.MonitoredSocket;
import org.naklab.lab.instruments.sampling.SocketPollTable;

/** A way to read the figures of all UDP sockets of one process. */
public interface SocketSource extends AutoCloseable {
    MonitoredSocket[] NO_SOCKETS = {};

    /** Returns one line that names the source of the readings and what it cannot see. */
    String describe();

    /** Reads every socket's figures. Sampling thread; without allocation. */
    void sample();

    /**
     * Hands over what was seen since the last sample, or else what is to be seen now. Sampling thread; without allocation.
     *
     * @param consumer called for each socket that there is something new of, and now and then for the others
     */
    default void sample(long nowNs, SocketPollTable.FiguresConsumer consumer) {
        sample();
        for (MonitoredSocket socket : sockets()) {
            consumer.onFigures(nowNs, socket);
        }
    }

    /** Returns the table of the sockets that may be polled between two samples, if any. Sampling thread. */
    default @Nullable SocketPollTable pollTable() {
        return null;
    }

    /**
     * Looks for new and closed sockets. Background thread.
     *
     * @return false when the process is gone
     */
    boolean refresh();

    /** Returns the sockets under observation; the array must not be changed. Any thread. */
    MonitoredSocket[] sockets();

    @Override
    void close();
}
