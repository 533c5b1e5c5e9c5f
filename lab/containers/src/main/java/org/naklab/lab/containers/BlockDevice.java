package org.naklab.lab.containers;

import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.LabException;

/**
 * The disk behind the engine's volumes, whose reads are limited: found from within a container, because only there the engine's
 * own file systems can be seen, be they on this machine or in a virtual one.
 */
public final class BlockDevice {
    private static final String MOUNT = "/journal";
    /** Prints the device's number; then the disk's name, which for a partition is that of the directory above. */
    private static final String SCRIPT = "n=$(awk '$5 == \"" + MOUNT + "\" {print $3}' /proc/self/mountinfo);"
            + " d=$(readlink -f /sys/dev/block/$n) || exit 1;"
            + " [ -e \"$d/partition\" ] && d=${d%/*};"
            + " echo \"$n ${d##*/}\"";

    private BlockDevice() {}

    /** Returns the path of the disk's device file, as the engine takes it. */
    public static String find() {
        Docker.Result result = DockerEngine.attemptRun(List.of(
                "--rm", "--no-healthcheck", "--network", "none", "-v", MOUNT, Image.name(), "sh", "-c", SCRIPT));
        return parse(result)
                .orElseThrow(
                        () -> new LabException(
                                "the disk behind the engine's volumes was not found (" + result.lastLine()
                                        + "): a file system without its own block device, such as ZFS or tmpfs, cannot be throttled"));
    }

    private static Optional<String> parse(Docker.Result result) {
        List<String> words = List.of(result.lastLine().split(" ", -1));
        boolean isFound =
                result.succeeded() && words.size() == 2 && !words.get(1).isEmpty();
        // A device mapper's directory is named dm-0, and so is its device file.
        return isFound ? Optional.of("/dev/" + words.get(1)) : Optional.empty();
    }
}
