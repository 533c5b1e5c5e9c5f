package org.naklab.lab.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.LabException;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.Surroundings;

/** What a run has at the engine: a bridge, a volume for the journal, its containers. */
public final class ContainerSite implements Surroundings {
    /** On everything that a run makes, so that what a killed lab left can be found. */
    public static final String LABEL = "org.naklab.run";
    /** Where the volume is mounted. */
    public static final String JOURNAL = "/journal";

    /**
     * Reads what every JVM reads at its start. Pages belong to the container that first reads them, and a container whose memory
     * is limited and whose reads are slow should find the JVM's in memory already.
     */
    private static final String READ_AHEAD = "cat " + ContainerSpec.ROOT + "/lib/*.jar /opt/jre/lib/modules"
            + " /opt/jre/lib/*.so /opt/jre/lib/server/*.so /lib/*-linux-gnu/*.so* >/dev/null";

    private final String runId;
    private final Path directory;
    private final List<String> containers = new ArrayList<>();

    /** @param directory the run's own, where the journal is copied to */
    public ContainerSite(String runId, Path directory) {
        this.runId = runId;
        this.directory = directory;
    }

    @Override
    public void prepare() {
        Docker.run("network", "create", "--label", LABEL + "=" + runId, network());
        Docker.run("volume", "create", "--label", LABEL + "=" + runId, volume());
        Docker.run("run", "--rm", "--no-healthcheck", "--network", "none", Image.name(), "sh", "-c", READ_AHEAD);
    }

    public String network() {
        return "naklab-" + runId;
    }

    public String volume() {
        return network() + "-journal";
    }

    /** The name of a container to be; it is removed in the end. */
    public String containerName(String process) {
        String name = network() + "-" + process;
        containers.add(name);
        return name;
    }

    /** Copies the journal out of the volume. */
    @Override
    public void collect() {
        String carrier = containerName("carrier");
        Docker.run("create", "--name", carrier, "-v", volume() + ":" + JOURNAL, Image.name());
        Docker.run(
                "cp",
                carrier + ":" + JOURNAL + "/journal",
                directory.resolve("journal").toString());
    }

    /** Removes everything; what cannot be removed is named. */
    @Override
    public void close() {
        List<String> left = new ArrayList<>();
        containers.forEach(name -> remove(left, "rm", "--force", "--volumes", name));
        remove(left, "volume", "rm", "--force", volume());
        remove(left, "network", "rm", network());
        if (!left.isEmpty()) {
            throw new LabException("left behind at the engine: " + String.join("; ", left));
        }
    }

    private static void remove(List<String> left, String... arguments) {
        Docker.Result result = Docker.attempt(arguments);
        if (!result.succeeded() && !result.output().contains("No such")) {
            left.add(result.lastLine());
        }
    }
}
