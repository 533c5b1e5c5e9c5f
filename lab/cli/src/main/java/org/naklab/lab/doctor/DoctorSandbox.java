package org.naklab.lab.doctor;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.LabException;

/** What the doctor makes at the engine. It is gone when this is closed, and when the program is ended before that. */
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
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "doctor-leaves"));
    }

    /** A bridge. */
    synchronized String network() {
        requireOpen();
        Docker.run("network", "create", "--label", LABEL, name);
        hasNetwork = true;
        return name;
    }

    /** Runs a script in a container, to its end. */
    Docker.Result run(String purpose, List<String> options, String script) {
        return Docker.attempt(command(purpose, options, List.of("sh", "-c", script)));
    }

    /**
     * Starts a container that stays for a minute at most, and has its own name as its host's.
     *
     * @return its name
     */
    String start(String purpose) {
        String container = name + '-' + purpose;
        List<String> options = List.of("--detach", "--hostname", container);
        String unused = Docker.run(command(purpose, options, List.of("sleep", "60")));
        return container;
    }

    private synchronized String[] command(String purpose, List<String> options, List<String> program) {
        requireOpen();
        String container = name + '-' + purpose;
        containers.add(container);
        List<String> command = new ArrayList<>(List.of("run", "--rm", "--no-healthcheck", "--network", "none"));
        command.addAll(List.of("--name", container, "--label", LABEL));
        command.addAll(options);
        command.add(Image.name());
        command.addAll(program);
        return command.toArray(String[]::new);
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
        containers.forEach(container -> remove(left, "rm", "--force", "--volumes", container));
        containers.clear();
        if (hasNetwork) {
            // The preflight's end by themselves, but the network must not wait for them.
            Docker.attempt("network", "inspect", "--format", "{{range .Containers}}{{println .Name}}{{end}}", name)
                    .output()
                    .lines()
                    .filter(tool -> !tool.isBlank())
                    .forEach(tool -> remove(left, "rm", "--force", tool));
            remove(left, "network", "rm", name);
            hasNetwork = false;
        }
        return left;
    }

    /** A container that ends is removed by the engine, too. */
    private static void remove(List<String> left, String... arguments) {
        Docker.Result result = Docker.attempt(arguments);
        boolean isGone = result.succeeded()
                || result.output().contains("No such")
                || result.output().contains("already in progress");
        if (!isGone) {
            left.add(result.lastLine());
        }
    }
}
