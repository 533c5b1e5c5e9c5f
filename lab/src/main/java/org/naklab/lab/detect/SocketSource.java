package org.naklab.lab.detect;

/** A way to read the figures of all UDP sockets of one process. */
interface SocketSource extends AutoCloseable {
    MonitoredSocket[] NO_SOCKETS = {};

    /** One line: by which way, and what the way cannot see. */
    String describe();

    /** Reads every socket's figures. Sampling thread; without allocation. */
    void sample();

    /**
     * Looks for new and closed sockets. Background thread.
     *
     * @return false when the process is gone
     */
    boolean refresh();

    /** Those now under observation; not to be changed. Any thread. */
    MonitoredSocket[] sockets();

    @Override
    void close();
}
