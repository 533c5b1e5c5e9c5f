package org.naklab.lab.core;

/** This program as its user called it, for hints that can be copied. */
public final class Program {
    private Program() {}

    public static String name() {
        return System.getProperty("naklab.command", "naklab");
    }
}
