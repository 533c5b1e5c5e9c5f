package org.naklab.lab.containers.faults;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * A limit of a running container's disk that comes some time after it is asked for, and stays as long as the container and the lab. The engine has
 * its work with it at the beginning, and none when the limit comes: what runs beside is not disturbed then.
 */
public final class LateDiskLimit {
    private LateDiskLimit() {}

    /**
     * Asks for it.
     *
     * @param toolName a name for the container that waits and then sets the limit
     * @param container to be limited
     * @param device path of the disk's device file
     * @param afterNs how long to wait
     * @return completed when the limit has come, or could not
     */
    public static CompletableFuture<Docker.Result> ask(
            String toolName, String container, String device, DiskLimit limit, long afterNs) {
        String wait = String.format(Locale.ROOT, "sleep %.1f; ", afterNs / Units.NS_PER_S);
        String number = "\"$(cat " + SlowDisk.numberFile(device) + ")\"";
        String script = wait + limit.setting(number, String.valueOf(limit.perSecond()));
        return CompletableFuture.supplyAsync(() -> {
            ContainerCgroup group = new ContainerCgroup(container, CgroupPaths.READS);
            // Kept at the lab's end, unless the container is gone by then.
            Undo unused = group.promise("restore the disk limit of " + container, limit.restoring(number, "0"));
            return group.attempt(toolName, script);
        });
    }
}
