package org.naklab.lab.containers;

import java.util.List;
import org.naklab.faults.binding.NativeLibraries;

/**
 * A container's own copy of the libraries that a late bind reads. Containers of one image share its files' pages, and the kernel
 * evicts none that another process maps too; a copy on the container's volume is its own, and charged to its own memory.
 */
public final class PrivateLibraries {
    /** A script of the image: makes the copies in the directory, and goes on with what follows. */
    public static final List<String> ENTRY =
            List.of("/opt/naklab/bin/own-libraries", ContainerEnvironment.JOURNAL + "/libraries");

    private PrivateLibraries() {}

    public static List<String> jvmArguments() {
        return List.of("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + ContainerEnvironment.JOURNAL + "/libraries");
    }
}
