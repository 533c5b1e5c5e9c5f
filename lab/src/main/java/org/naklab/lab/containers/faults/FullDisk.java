package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.LabException;
import org.naklab.lab.UsageException;
import org.naklab.lab.containers.Docker;

/** A volume of the container is filled to its last byte, by a file that is removed again. */
final class FullDisk implements ContainerFault {
    private static final String FILE = ".naklab-full";

    private final String container;
    private final String path;
    private final long filledBytes;
    private long freeBytes;
    private boolean isClosed;

    /**
     * Fills it.
     *
     * @param path of the volume in the container
     * @param mostBytes that may be written for it
     */
    FullDisk(String container, String path, long mostBytes) {
        this.container = container;
        this.path = path;
        Arguments.positive("bound of what is written", mostBytes);
        if (path.contains("'") || !path.startsWith("/")) {
            throw new UsageException("the path of a volume must be absolute and without quotes: " + path);
        }
        long free = free();
        if (free > mostBytes) {
            throw new UsageException(path + " of " + container + " has " + free + " bytes free, more than the bound of "
                    + mostBytes + ": give the container a small volume"
                    + " (docker volume create --opt type=tmpfs --opt device=tmpfs --opt o=size=64m)");
        }
        filledBytes = fill(mostBytes);
        freeBytes = free();
    }

    private String file() {
        return "'" + path + "/" + FILE + "'";
    }

    private long free() {
        String script =
                "mountpoint -q '" + path + "' || { echo 'is no volume'; exit 1; }; stat -f -c '%a %S' '" + path + "'";
        String[] words = Tool.outputOf(Tool.withVolumesOf(container, script), path + " of " + container)
                .split(" ", -1);
        return Long.parseLong(words[0]) * Long.parseLong(words[1]);
    }

    /** Comes to its end by the disk's; that it cannot write more is what it is for. */
    private long fill(long mostBytes) {
        String script = "head -c " + mostBytes + " /dev/zero >" + file() + " 2>/dev/null; stat -c %s " + file();
        return Long.parseLong(
                Tool.outputOf(Tool.withVolumesOf(container, script), "filling " + path + " of " + container));
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            freeBytes = free();
        }
        return new FaultProof(
                freeBytes == 0,
                path + " of " + container + " had " + freeBytes + " bytes free after " + filledBytes
                        + " were written to fill it",
                Map.of("freeBytes", freeBytes, "filledBytes", filledBytes),
                List.of());
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        Docker.Result result = Tool.withVolumesOf(container, "rm -f " + file());
        if (!result.succeeded() && !Tool.isGone(result)) {
            throw new LabException(file() + " is left in " + container + ": " + result.lastLine());
        }
        isClosed = true;
    }
}
