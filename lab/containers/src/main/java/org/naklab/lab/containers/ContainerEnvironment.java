package org.naklab.lab.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.DockerEngine.Kind;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.DeploymentEnvironment;

/** Holds what a run uses at the engine: a bridge network, a volume for the journal, and its containers. */
public final class ContainerEnvironment implements DeploymentEnvironment {
    /** Labels everything that a run creates, so that the remains of a killed lab can be found. */
    public static final String LABEL = "org.naklab.run";
    /** Mount point of the journal's volume. */
    public static final String JOURNAL = "/journal";

    /**
     * Reads what every JVM reads at its start. Pages belong to the container that first reads them, and a container whose memory
     * is limited and whose reads are slow should find the JVM's in memory already.
     */
    private static final String READ_AHEAD = "cat " + ContainerSpec.ROOT + "/lib/*.jar /opt/jre/lib/modules"
            + " /opt/jre/lib/*.so /opt/jre/lib/server/*.so /lib/*-linux-gnu/*.so* >/dev/null";

    private final String runId;
    private final Path directory;
    private final PreparationListener listener;
    private final Set<String> containers = new LinkedHashSet<>();
    private @Nullable Undo undo;

    /**
     * Creates a site that deploys to containers.
     *
     * @param directory the run's own, where the journal is copied to
     */
    public ContainerEnvironment(String runId, Path directory, PreparationListener listener) {
        this.runId = runId;
        this.directory = directory;
        this.listener = listener;
    }

    @Override
    public void prepare() {
        undo = Undo.promise(
                "remove the containers, the volume and the network of run " + runId,
                Undo.remove("--filter name=^" + network() + "-")
                        + "; undoing docker volume rm --force \"$1\"; undoing docker network rm \"$2\"",
                List.of(volume(), network()));
        String run = LABEL + "=" + runId;
        DockerEngine.create(Kind.NETWORK, network(), run, EngineGuard.label());
        DockerEngine.create(Kind.VOLUME, volume(), run, EngineGuard.label());
        listener.onStep("reading the image's files into memory");
        String unused = DockerEngine.run(
                List.of("--rm", "--no-healthcheck", "--network", "none", Image.name(), "sh", "-c", READ_AHEAD));
        listener.onStep("starting the containers");
    }

    public String network() {
        return "naklab-" + runId;
    }

    public String volume() {
        return network() + "-journal";
    }

    /** Returns the name for a container to create; it is removed at the end. */
    public String containerName(String process) {
        String name = network() + "-" + process;
        containers.add(name);
        return name;
    }

    /** Copies the journal out of the volume. */
    @Override
    public void collect() {
        String carrier = containerName("carrier");
        DockerEngine.createContainer(carrier, volume(), JOURNAL, Image.name());
        DockerEngine.copy(carrier, JOURNAL + "/journal", directory.resolve("journal"));
    }

    /** Removes everything; what cannot be removed is named. */
    @Override
    public void close() {
        List<String> left = new ArrayList<>();
        containers.forEach(
                name -> DockerEngine.remove(Kind.CONTAINER, name).obstacle().ifPresent(left::add));
        DockerEngine.remove(Kind.VOLUME, volume()).obstacle().ifPresent(left::add);
        DockerEngine.remove(Kind.NETWORK, network()).obstacle().ifPresent(left::add);
        if (!left.isEmpty()) {
            throw new LabException("could not remove Docker resources: " + String.join("; ", left));
        }
        if (undo != null) {
            undo.kept();
        }
    }
}
