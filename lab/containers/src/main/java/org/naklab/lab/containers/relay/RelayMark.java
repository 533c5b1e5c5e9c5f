package org.naklab.lab.containers.relay;

/** Marks frames that went through a relay, so that they are not redirected twice. */
public final class RelayMark {
    /** The first four bytes of its source address: locally administered, then "NAK". */
    public static final int VALUE = 0x064e414b;

    private RelayMark() {}
}
