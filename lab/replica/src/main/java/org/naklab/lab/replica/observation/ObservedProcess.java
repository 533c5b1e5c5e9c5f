package org.naklab.lab.replica.observation;

import java.nio.file.Path;
import org.naklab.lab.process.Role;

/**
 * A process of the replica as the instruments reach it: on this machine, or through the root of its container on this machine's kernel.
 *
 * @param pid as this machine numbers it
 * @param aeronDirectory as this machine reaches it
 * @param isContained whether it has namespaces and a control group of its own
 */
public record ObservedProcess(String name, Role role, long pid, Path aeronDirectory, boolean isContained) {
    /** Returns the name of the thread that receives. */
    public String contextThread() {
        return name + "-context";
    }
}
