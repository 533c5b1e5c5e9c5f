package org.naklab.lab.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.containers.DockerEngine.Kind;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.LabException;

/** The Docker resources that the doctor creates. They are removed when this object is closed, or when the program is terminated before that. */
final class DoctorSandbox implements AutoCloseable {
    private static final String LABEL = ContainerEnvironment.LABEL + "=doctor";

    private final String name = "naklab-doctor-" + ProcessHandle.current().pid();
    private final List<String> containers = new ArrayList<>();
    private boolean hasNetwork;
    private final Undo undo;
    private boolean isClosed;

    DoctorSandbox() {
        undo = Undo.promise(
                "remove the doctor's containers and network",
                Undo.remove("--filter name=^" + name + "-") + "; undoing docker network rm \"$1\"",
                List.of(name));
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "doctor-cleanup"));
    }

    /** Creates a bridge network and returns its name. */
    synchronized String network() {
        requireOpen();
        DockerEngine.create(Kind.NETWORK, name, LABEL);
        hasNetwork = true;
        return name;
    }

    /** Runs a script in a container, to its end. */
    Docker.Result run(String purpose, List<String> options, String script) {
        return DockerEngine.attemptRun(command(purpose, options, List.of("sh", "-c", script)));
    }

    /**
     * Starts a container that stays for a minute at most, and has its own name as its host's.
     *
     * @return its name
     */
    String start(String purpose) {
        String container = name + '-' + purpose;
        List<String> options = List.of("--detach", "--hostname", container);
        String unused = DockerEngine.run(command(purpose, options, List.of("sleep", "60")));
        return container;
    }

    private synchronized List<String> command(String purpose, List<String> options, List<String> program) {
        requireOpen();
        String container = name + '-' + purpose;
        containers.add(container);
        List<String> command = new ArrayList<>(List.of("--rm", "--no-healthcheck", "--network", "none"));
        command.addAll(List.of("--name", container, "--label", LABEL));
        command.addAll(options);
        command.add(Image.name());
        command.addAll(program);
        return command;
    }

    private void requireOpen() {
        if (isClosed) {
            throw new LabException("doctor was interrupted");
        }
    }

    /**
     * Removes everything that was created.
     *
     * @throws LabException names what cannot be removed
     */
    @Override
    public void close() {
        List<String> left = remove();
        if (!left.isEmpty()) {
            throw new LabException("could not remove Docker resources: " + String.join("; ", left));
        }
        undo.kept();
    }

    /** A second time, it finds nothing to remove. */
    private synchronized List<String> remove() {
        isClosed = true;
        List<String> left = new ArrayList<>();
        containers.forEach(container -> remove(left, Kind.CONTAINER, container));
        containers.clear();
        if (hasNetwork) {
            // The preflight's end by themselves, but the network must not wait for them.
            DockerEngine.network(name).map(DockerEngine.Resource::containers).ifPresent(tools -> tools.values()
                    .forEach(tool -> remove(left, Kind.CONTAINER, tool.name())));
            remove(left, Kind.NETWORK, name);
            hasNetwork = false;
        }
        return left;
    }

    /** A container that ends is removed by the engine, too. */
    private static void remove(List<String> left, Kind kind, String name) {
        DockerEngine.remove(kind, name).obstacle().ifPresent(left::add);
    }
}
