package org.naklab.lab.scenarios;

/**
 * The observed state of one UDP socket.
 *
 * @param process that owns it; {@code "?"} when it was gone before it could be asked
 * @param maxDepthBytes deepest receive queue seen, by the kernel's accounting
 * @param drops datagrams dropped while it was watched
 */
public record SocketReading(String process, String localAddress, int port, long maxDepthBytes, long drops) {}
