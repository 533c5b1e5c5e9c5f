package org.naklab.lab.instruments.linux;

import java.io.IOException;
import java.util.OptionalLong;
import org.naklab.lab.core.KernelFields;
import org.naklab.lab.core.process.ProcPaths;

/** Finds the id by which a process knows itself, by {@code NSpid} in {@code /proc/PID/status}. */
public final class NamespacePid {
    private NamespacePid() {}

    /**
     * Returns the id in the innermost namespace of the process.
     *
     * @param pid its id as seen from here
     * @return empty if the process has ended
     */
    public static OptionalLong of(long pid) {
        try {
            String ids = KernelFields.read(ProcPaths.of(pid, "status")).text("NSpid");
            return OptionalLong.of(ids.isEmpty() ? pid : Long.parseLong(ids.substring(ids.lastIndexOf('\t') + 1)));
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }
}
