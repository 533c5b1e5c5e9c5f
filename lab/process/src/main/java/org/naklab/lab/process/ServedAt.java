package org.naklab.lab.process;

/**
 * Tells where the customers of a process connect, on the loopback device.
 *
 * @param orders TCP port of SoupBinTCP with every message
 * @param quotes TCP port of SoupBinTCP with best prices
 * @param snapshots TCP port of GLIMPSE
 * @param requests UDP port of the re-requests of MoldUDP64; 0: no datagrams are sent
 * @param dayOffsetNs what to add to a time of {@link System#nanoTime()}'s clock for that of the messages
 */
public record ServedAt(int orders, int quotes, int snapshots, int requests, long dayOffsetNs) {}
