package org.naklab.lab.containers.faults.network;

import org.jspecify.annotations.Nullable;

/** Seen from the container. */
public enum Direction {
    /** Frames that the container receives. */
    INCOMING("ingress", "nakin"),
    /** Frames that the container sends, its NAKs included. */
    OUTGOING("egress", "nakout");

    private final String hook;
    private final String tap;

    Direction(String hook, String tap) {
        this.hook = hook;
        this.tap = tap;
    }

    /** Returns the direction that a plan means: incoming if it names none. */
    static Direction orUsual(@Nullable Direction named) {
        return named == null ? INCOMING : named;
    }

    /** Returns the kernel's name of the hook where these frames can be caught. */
    String hook() {
        return hook;
    }

    /** Returns the device of this direction's relay: there can be only one. */
    String tap() {
        return tap;
    }
}
