package org.naklab.lab.containers.pace;

import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.faults.DiskLimit;
import org.naklab.lab.containers.faults.LateDiskLimit;
import org.naklab.lab.core.LabException;

/** Makes the reads of a running container slow, for as long as the container lives. */
final class ReadLimit {
    private ReadLimit() {}

    /**
     * Sets the limit, and returns when it is in force.
     *
     * @param toolName a name for the container that sets it
     * @param device path of the disk's device file
     * @throws LabException when it cannot be set
     */
    static void set(String toolName, String container, String device, long readsPerSecond) {
        Docker.Result result = LateDiskLimit.ask(
                        toolName, container, device, DiskLimit.readsPerSecond(readsPerSecond), 0)
                .join();
        if (!result.succeeded()) {
            throw new LabException("the reads of " + container + " were not throttled: " + result.lastLine());
        }
    }
}
