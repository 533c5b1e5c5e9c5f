package org.naklab.lab.containers.faults;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Limits;
import org.naklab.faults.Required;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.TypedContainerFaultKind;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UsageException;

/** A volume of the container is filled to its last byte, by a file that is removed again. */
final class FullDisk implements ContainerFault {
    private static final String FILE = HelperContainer.VOLUME + "/.naklab-full";
    /** A volume's name, or nothing for a directory, comes first: a tool would make a volume that is gone anew. */
    private static final String REMOVE =
            "[ -z \"$1\" ] || existing docker volume inspect \"$1\"; shift; undoing \"$@\"";

    private final String container;
    private final String path;
    private final Mount mount;
    private final Undo undo;
    private final long filledBytes;
    private long freeBytes;
    private boolean isClosed;

    /**
     * The mount at the path to fill.
     *
     * @param volume its name; empty: a directory of the engine's host
     * @param option of {@code docker run}, that mounts it for a tool
     */
    private record Mount(String volume, String option) {
        static Mount of(DockerEngine.Mount mount) {
            String name = mount.type().equals("volume") ? String.valueOf(mount.name()) : "";
            return new Mount(
                    name,
                    "type=" + mount.type() + ",source=" + (name.isEmpty() ? mount.source() : name) + ",target="
                            + HelperContainer.VOLUME);
        }
    }

    /**
     * Fills it.
     *
     * @param path of the volume in the container
     * @param mostBytes that may be written for it
     */
    FullDisk(String container, String path, long mostBytes) {
        this.container = container;
        this.path = path;
        FaultArguments.positive("limit of the bytes to write", mostBytes);
        if (path.contains("'") || !path.startsWith("/")) {
            throw new UsageException("the path of a volume must be absolute and without quotes: " + path);
        }
        mount = findMount();
        long free = free();
        if (free > mostBytes) {
            throw new UsageException(path + " of " + container + " has " + free + " bytes free, more than the limit of "
                    + mostBytes + ": give the container a small volume"
                    + " (docker volume create --opt type=tmpfs --opt device=tmpfs --opt o=size=64m)");
        }
        List<String> removal = new ArrayList<>(List.of(mount.volume(), "docker"));
        removal.addAll(HelperContainer.commandWithMount(mount.option(), "rm -f " + FILE));
        undo = Undo.promise("empty the full volume " + path + " of " + container, REMOVE, removal);
        filledBytes = undo.orUndo(() -> fill(mostBytes));
        freeBytes = free();
    }

    private Mount findMount() {
        return DockerEngine.find(container)
                .orElseThrow(() -> new LabException("cannot inject a fault into " + container + ": no such container"))
                .mounts()
                .stream()
                .filter(mounted ->
                        mounted.destination().equals(path) && !mounted.type().equals("tmpfs"))
                .findFirst()
                .map(Mount::of)
                .orElseThrow(() -> new LabException(path + " of " + container + " is not a volume"));
    }

    private long free() {
        String script = "stat -f -c '%a %S' " + HelperContainer.VOLUME;
        String[] words = HelperContainer.withMount(mount.option(), script)
                .outputOrThrow(path + " of " + container)
                .split(" ", -1);
        return Long.parseLong(words[0]) * Long.parseLong(words[1]);
    }

    /** Comes to its end by the disk's; that it cannot write more is what it is for. */
    private long fill(long mostBytes) {
        String script = "head -c " + mostBytes + " /dev/zero >" + FILE + " 2>/dev/null; stat -c %s " + FILE;
        return Long.parseLong(HelperContainer.withMount(mount.option(), script)
                .outputOrThrow("filling " + path + " of " + container));
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
        if (!isClosed) {
            undo.run();
            isClosed = true;
        }
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(String path, long mostBytes) {
            public Parameters {
                Required.text("path", path);
                Limits.within("mostBytes", mostBytes, 1, Long.MAX_VALUE - 1);
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "full-disk",
                    ENGINE_ACCESS,
                    Parameters.class,
                    FaultDescription.of("A volume of the container is filled to its last byte")
                            .with(
                                    FaultParameter.text("path", "of the volume in the container"),
                                    FaultParameter.of(
                                            "mostBytes", ParameterType.SIZE, "what may be written to fill it"))
                            .proof("no byte is free")
                            .example("full-disk:path=/journal,most=64MiB"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new FullDisk(container, parameters.path(), parameters.mostBytes());
        }
    }
}
