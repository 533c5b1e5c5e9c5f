package org.naklab.lab.replica.service;

import java.nio.file.Path;

/** The duty-cycle file of a subscriber's receipt thread: beside its Aeron directory, on a memory file system. */
public final class DutyCycleFile {
    private DutyCycleFile() {}

    /**
     * Returns the file of one process.
     *
     * @param aeronDirectory of its own driver
     */
    public static Path of(String aeronDirectory) {
        return Path.of(aeronDirectory + ".heartbeat");
    }
}
