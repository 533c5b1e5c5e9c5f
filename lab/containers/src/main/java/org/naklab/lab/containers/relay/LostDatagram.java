package org.naklab.lab.containers.relay;

/**
 * A datagram that a relay lost on purpose.
 *
 * @param atNs CLOCK_MONOTONIC of the relay's machine
 * @param destination a multicast group with its port, or {@code port N}
 * @param number among the datagrams to this destination since the relay began, from 1
 */
public record LostDatagram(long atNs, String destination, long number) {}
