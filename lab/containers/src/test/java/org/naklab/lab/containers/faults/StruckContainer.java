package org.naklab.lab.containers.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.Image;

/** A container that faults are armed in, and what can be seen of them. */
final class StruckContainer implements AutoCloseable {
    private static final String LABEL = ContainerEnvironment.LABEL + "=test";
    /** Everything that a fault changes, but for what the engine itself says. */
    private static final String LOOK = "ip -o link show | grep -o 'nak[a-z]*'; tc qdisc show dev eth0;"
            + " tc filter show dev eth0 ingress 2>/dev/null; tc filter show dev eth0 egress 2>/dev/null; ls -A "
            + DoomedLab.VOLUME + "; for g in $(find /cgroup -type d -name \"*$1*\"); do"
            + " cat $g/blkio.throttle.*_device $g/io.max $g/memory.limit_in_bytes $g/memory.max 2>/dev/null; done; true";

    private final String name = "naklab-test-" + ProcessHandle.current().pid() + '-' + System.nanoTime();
    private final String volume = name + "-small";
    private final String before;

    StruckContainer() {
        Docker.run(
                "volume",
                "create",
                "--label",
                LABEL,
                "--opt",
                "type=tmpfs",
                "--opt",
                "device=tmpfs",
                "--opt",
                "o=size=8m",
                volume);
        Docker.run(
                "run",
                "--detach",
                "--no-healthcheck",
                "--name",
                name,
                "--label",
                LABEL,
                "--memory",
                "128m",
                "--memory-swap",
                "128m",
                "--volume",
                volume + ":" + DoomedLab.VOLUME,
                Image.name(),
                "sleep",
                "1200");
        before = look();
    }

    String name() {
        return name;
    }

    boolean isPaused() {
        return Docker.run("inspect", "--format", "{{.State.Paused}}", name).equals("true");
    }

    void kill() {
        Docker.run("kill", "--signal", "KILL", name);
    }

    void start() {
        Docker.run("start", name);
    }

    void assertAsBefore() {
        assertThat(look()).isEqualTo(before);
    }

    private String look() {
        String said = Docker.run(
                "inspect",
                "--format",
                "{{.Id}} {{.State.Running}} {{.State.Paused}} {{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}",
                name);
        return said
                + '\n'
                + Docker.run(
                        "run",
                        "--rm",
                        "--no-healthcheck",
                        "--user",
                        "0",
                        "--label",
                        LABEL,
                        "--network",
                        "container:" + name,
                        "--cap-add",
                        "NET_ADMIN",
                        "--volumes-from",
                        name,
                        "--volume",
                        "/sys/fs/cgroup:/cgroup:ro",
                        Image.name(),
                        "sh",
                        "-c",
                        LOOK,
                        "sh",
                        said.substring(0, said.indexOf(' ')));
    }

    /** Containers that were made for a lab, whether or not they run. */
    static List<String> toolsOf(String identity) {
        return Docker.run(
                        "ps",
                        "--all",
                        "--filter",
                        "label=org.naklab.lab=" + identity,
                        "--format",
                        "{{.Names}} {{.Status}} {{.Command}}")
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        Docker.run("rm", "--force", "--volumes", name);
        Docker.run("volume", "rm", volume);
    }
}
