package org.naklab.lab.detect;

/** Takes a socket's figures as they were at a time. Sampling thread; must not allocate. */
@FunctionalInterface
interface SocketFiguresConsumer {
    void onFigures(long timeNs, MonitoredSocket socket);
}
