package org.naklab.lab.containers.faults;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.LabException;
import org.naklab.lab.containers.ContainerSite;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.Image;

/** A container of the lab's image that does one thing to another container, and is gone. */
final class Tool {
    /** The engine's words for a container that there is nothing left to undo in. */
    private static final List<String> GONE =
            List.of("No such container", "No such object", "is not running", "non running container");

    private Tool() {}

    /** In the network namespace of a container. */
    static Docker.Result inNetworkOf(String container, String script) {
        return run(
                List.of("--network", "container:" + container, "--cap-drop", "ALL", "--cap-add", "NET_ADMIN"), script);
    }

    /** With the volumes of a container. */
    static Docker.Result withVolumesOf(String container, String script) {
        return run(List.of("--network", "none", "--volumes-from", container), script);
    }

    /** With the engine's host's control groups in {@code /cgroup}. */
    static Docker.Result withControlGroups(String script) {
        return run(List.of("--network", "none", "--volume", "/sys/fs/cgroup:/cgroup"), script);
    }

    /** The same in a container with a name. */
    static Docker.Result withControlGroups(String name, String script) {
        return run(List.of("--name", name, "--network", "none", "--volume", "/sys/fs/cgroup:/cgroup"), script);
    }

    /** What it printed. */
    static String outputOf(Docker.Result result, String what) {
        if (!result.succeeded()) {
            throw new LabException(what + ": " + result.lastLine());
        }
        return result.output();
    }

    /** Whether the command failed only because its container has ended. */
    static boolean isGone(Docker.Result result) {
        return !result.succeeded() && GONE.stream().anyMatch(result.output()::contains);
    }

    private static Docker.Result run(List<String> options, String script) {
        List<String> arguments = new ArrayList<>(List.of("run", "--rm", "--no-healthcheck", "--user", "0"));
        arguments.addAll(List.of("--label", ContainerSite.LABEL + "=fault"));
        arguments.addAll(options);
        arguments.addAll(List.of(Image.name(), "sh", "-c", script));
        return Docker.attempt(arguments.toArray(String[]::new));
    }
}
