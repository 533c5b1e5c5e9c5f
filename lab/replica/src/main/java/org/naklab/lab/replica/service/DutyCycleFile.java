package org.naklab.lab.replica.service;

import java.nio.file.Path;

/** Where a subscriber's receipt thread beats: beside its Aeron directory, on a memory file system. */
public final class DutyCycleFile {
    private DutyCycleFile() {}

    /**
     * The file of one process.
     *
     * @param aeronDirectory of its own driver
     */
    public static Path of(String aeronDirectory) {
        return Path.of(aeronDirectory + ".heartbeat");
    }
}
