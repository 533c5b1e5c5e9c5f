package org.naklab.lab.containers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * Holds what a run adds to a composition's services: its files and a journal on the volume. Both are removed at the end; the
 * services stay on standby.
 */
public final class ComposeEnvironment implements DeploymentEnvironment {
    /** A script of the image: runs a process of the replica, one at a time, and puts what it says into the container's log. */
    public static final String REPLICA = "/opt/naklab/bin/replica";

    /** The memory file system of the run's own files. */
    public static final String TEMPORARY = "/tmp";

    /** Held by a replica for as long as it lives. */
    private static final String LOCK = TEMPORARY + "/naklab-replica.lock";
    /** More than a replica takes that has been told to end and does not get on. */
    private static final String END_TIMEOUT_S = "30";

    private static final String JOURNAL = ContainerEnvironment.JOURNAL + "/journal";
    private static final String LOSS_REPORT = ContainerEnvironment.JOURNAL + "/loss-report.dat";

    private final ComposeProject composition;
    private final List<String> services;
    private final String journalist;
    private final Path directory;
    private final List<Path> brought;
    /** True while the services belong to this run; the files of another run are left alone. */
    private boolean isTaken;

    /**
     * Creates the environment of one run.
     *
     * @param services that it executes processes in
     * @param journalist the service that keeps the journal
     * @param directory the run's own, where the journal is copied to
     * @param brought files of this machine that the journalist's process reads and writes in {@value #TEMPORARY}
     */
    public ComposeEnvironment(
            ComposeProject composition, List<String> services, String journalist, Path directory, List<Path> brought) {
        this.composition = composition;
        this.services = List.copyOf(services);
        this.journalist = journalist;
        this.directory = directory;
        this.brought = List.copyOf(brought);
    }

    @Override
    public void prepare() {
        for (String service : services) {
            if (!in(service, "flock", "-n", LOCK, "true").succeeded()) {
                throw new UnavailableException("another run is active in the composition " + composition.project()
                        + ": " + service + " is running, or cannot be reached; 'docker compose restart' ends it");
            }
        }
        isTaken = true;
        String container = composition.container(journalist);
        for (Path file : brought) {
            DockerEngine.feed(file, container, "busybox", "dd", "status=none", "of=" + inside(file));
        }
    }

    /** Returns the path inside the service of a file that was copied there. */
    public static String inside(Path file) {
        return TEMPORARY + "/" + file.getFileName();
    }

    /** Copies what is on the volume, as far as the run came. */
    @Override
    public void collect() {
        copy(JOURNAL, directory.resolve("journal"));
        copy(LOSS_REPORT, directory.resolve(journalist + "-loss-report.dat"));
    }

    private void copy(String inside, Path target) {
        if (in(journalist, "busybox", "test", "-e", inside).succeeded()) {
            DockerEngine.copy(composition.container(journalist), inside, target);
        }
    }

    /** Waits until no process of the run is left, and removes its files; what is left is named. */
    @Override
    public void close() {
        if (!isTaken) {
            return;
        }
        List<String> left = new ArrayList<>();
        for (String service : services) {
            if (isRunning(service)
                    && !in(service, "flock", "-w", END_TIMEOUT_S, LOCK, "true").succeeded()) {
                left.add("a process in " + service);
            }
        }
        if (isRunning(journalist)) {
            List<String> removal = new ArrayList<>(List.of("busybox", "rm", "-rf", JOURNAL, LOSS_REPORT));
            brought.forEach(file -> removal.add(inside(file)));
            Docker.Result removed = in(journalist, removal.toArray(String[]::new));
            if (!removed.succeeded()) {
                left.add(removed.lastLine());
            }
        }
        if (!left.isEmpty()) {
            throw new LabException("could not remove from the composition " + composition.project() + ": "
                    + String.join("; ", left) + "; 'docker compose restart' ends it");
        }
    }

    /** Returns false for a service that was taken down meanwhile: nothing is left in it. */
    private boolean isRunning(String service) {
        return DockerEngine.find(composition.container(service))
                .filter(container -> container.state().isRunning())
                .isPresent();
    }

    private Docker.Result in(String service, String... command) {
        return DockerEngine.execute(composition.container(service), command);
    }
}
