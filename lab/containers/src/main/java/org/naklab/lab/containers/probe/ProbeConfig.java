package org.naklab.lab.containers.probe;

/**
 * Orders for both ends of a probe.
 *
 * @param group dotted; multicast
 * @param datagrams how many are sent; the receiver ends with the last or when told
 * @param perSecond how fast
 */
public record ProbeConfig(String group, int port, int datagrams, int perSecond) {
    /** Longest that is sent. */
    static final int PAYLOAD_BYTES = 256;
}
