package org.naklab.lab.containers.relay;

/** How a frame that went through a relay is known, so that it is not taken twice. */
public final class RelayMark {
    /** The first four bytes of its source address: locally administered, then "NAK". */
    public static final int VALUE = 0x064e414b;

    private RelayMark() {}
}
