package org.naklab.lab.instruments.sampling;

/** Takes a socket's figures as they were at a time. Sampling thread; must not allocate. */
@FunctionalInterface
public interface SocketFiguresConsumer {
    void onFigures(long timeNs, MonitoredSocket socket);
}
