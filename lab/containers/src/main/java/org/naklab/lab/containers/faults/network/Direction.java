package org.naklab.lab.containers.faults.network;

/** Seen from the container. */
public enum Direction {
    /** What it receives. */
    INCOMING("ingress", "nakin"),
    /** What it sends, its NAKs among it. */
    OUTGOING("egress", "nakout");

    private final String hook;
    private final String tap;

    Direction(String hook, String tap) {
        this.hook = hook;
        this.tap = tap;
    }

    /** The kernel's name for where it can be caught. */
    String hook() {
        return hook;
    }

    /** The device of this direction's relay: there can be one. */
    String tap() {
        return tap;
    }
}
