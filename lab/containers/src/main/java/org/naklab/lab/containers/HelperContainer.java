package org.naklab.lab.containers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.naklab.lab.core.LabException;

/** A container of the lab's image that does one thing to another container, and is gone. */
public final class HelperContainer {
    /** Mount point of the volume that a tool works on. */
    public static final String VOLUME = "/volume";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private HelperContainer() {}

    /**
     * Returns a container's id, which no later one has.
     *
     * @throws LabException when there is none of that name
     */
    public static String idOf(String container) {
        return DockerEngine.find(container)
                .orElseThrow(() -> new LabException("cannot inject a fault into " + container + ": no such container"))
                .id();
    }

    /** Runs a script in the network namespace of a container. */
    public static Docker.Result inNetworkOf(String container, String script) {
        return run(networkOf(container), script);
    }

    /** Returns the arguments of {@code docker} that do the same. */
    public static List<String> commandInNetworkOf(String container, String script) {
        return command(networkOf(container), script);
    }

    private static List<String> networkOf(String container) {
        return List.of("--network", "container:" + container, "--cap-drop", "ALL", "--cap-add", "NET_ADMIN");
    }

    /** Runs a script with a mount at {@value #VOLUME}, given as an option of {@code docker run}. */
    public static Docker.Result withMount(String mount, String script) {
        return run(List.of("--network", "none", "--mount", mount), script);
    }

    /** Returns the arguments of {@code docker} that do the same. */
    public static List<String> commandWithMount(String mount, String script) {
        return command(List.of("--network", "none", "--mount", mount), script);
    }

    /** Runs a script with the control groups of the engine's host in {@code /cgroup}. */
    public static Docker.Result withControlGroups(String script) {
        return run(controlGroups(), script);
    }

    /** Returns the arguments of {@code docker} that do the same. */
    public static List<String> commandWithControlGroups(String script) {
        return command(controlGroups(), script);
    }

    /** Runs a script with the control groups of the engine's host in a container of that name. */
    public static Docker.Result withControlGroups(String name, String script) {
        return run(name, controlGroups(), script);
    }

    private static List<String> controlGroups() {
        return List.of("--network", "none", "--volume", "/sys/fs/cgroup:/cgroup");
    }

    private static Docker.Result run(List<String> options, String script) {
        String name = "naklab-fault-" + ProcessHandle.current().pid() + '-' + NUMBERS.incrementAndGet();
        return run(name, options, script);
    }

    /** A client that was killed may leave its container behind, at work or not yet begun. */
    private static Docker.Result run(String name, List<String> options, String script) {
        List<String> named = new ArrayList<>(List.of("--name", name));
        named.addAll(options);
        Docker.Result result = EngineGuard.attempt(command(named, script));
        if (!result.succeeded()) {
            DockerEngine.Removal unused = DockerEngine.remove(DockerEngine.Kind.CONTAINER, name);
        }
        return result;
    }

    private static List<String> command(List<String> options, String script) {
        List<String> arguments = new ArrayList<>(List.of("run", "--rm", "--no-healthcheck", "--user", "0"));
        arguments.addAll(EngineGuard.faultLabels());
        arguments.addAll(options);
        arguments.addAll(List.of(Image.name(), "sh", "-c", script));
        return arguments;
    }
}
