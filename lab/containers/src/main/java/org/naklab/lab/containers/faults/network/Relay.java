package org.naklab.lab.containers.faults.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.HelperProcess;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.containers.relay.RelayConfig;
import org.naklab.lab.containers.relay.RelayProcess;
import org.naklab.lab.containers.relay.RelayReport;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/**
 * A relay's container, in the network namespace of the one that it impairs. It ends with the lab, and takes away what it made:
 *
 * <pre>
 *   eth0 ── filter ──▶ tap ──▶ relay ──▶ tap ── filter ──▶ eth0
 * </pre>
 */
final class Relay implements AutoCloseable {
    /** Preference of the filter, after that of every loss. */
    static final int PREFERENCE = 30_000;

    private static final int BURST_FRAMES = 20_000;
    private static final String ALL = "1,6 0 0 4294967295";

    private final String container;
    private final Direction direction;
    private final HelperProcess process;
    private final Undo undo;

    private Relay(String container, Direction direction, HelperProcess process, Undo undo) {
        this.container = container;
        this.direction = direction;
        this.process = process;
        this.undo = undo;
    }

    /**
     * Starts a relay that is ready to receive datagrams.
     *
     * @throws UnavailableException if another fault has the relay of this direction, which goes on
     */
    static Relay start(String container, Direction direction, RelayConfig config) {
        String id = HelperContainer.idOf(container);
        refuseSecond(id, container, direction);
        List<String> options = List.of(
                "--user", "0", "--network", "container:" + id, "--cap-add", "NET_ADMIN", "--device", "/dev/net/tun");
        List<String> entry = List.of("sh", "-c", script(direction), "sh");
        Undo undo = Undo.promise(
                "remove a relay in the network of " + container,
                HelperContainer.commandInNetworkOf(id, remove(direction)));
        HelperProcess process =
                undo.orUndo(() -> HelperProcess.start("relay", RelayProcess.class, config, options, entry));
        return new Relay(container, direction, process, undo);
    }

    /** Before anything is promised to be undone: to undo a second relay would remove the first. */
    private static void refuseSecond(String id, String container, Direction direction) {
        String script = "! ip link show dev " + direction.tap() + " >/dev/null 2>&1 || echo " + direction.tap();
        boolean isTaken = HelperContainer.inNetworkOf(id, script)
                .outputOrThrow("cannot inject a fault into the network of " + container)
                .contains(direction.tap());
        if (isTaken) {
            throw new UnavailableException("another fault has the relay of the datagrams "
                    + direction.name().toLowerCase(Locale.ROOT) + " at " + container
                    + ": of loss with a seed, delay, duplication, reordering and corruption, a direction can have one at a"
                    + " time. Close the other first, or use loss without a seed beside it");
        }
    }

    /** Succeeds when its filter and its tap are gone, whoever removed them. */
    private static String remove(Direction direction) {
        String filter = "dev " + TrafficRedirect.INTERFACE + ' ' + direction.hook() + " pref " + PREFERENCE;
        return "tc filter del " + filter + " 2>/dev/null; ip link del " + direction.tap() + " 2>/dev/null; "
                + TrafficRedirect.REMOVE_UNUSED + "; ! ip link show " + direction.tap() + " >/dev/null 2>&1";
    }

    private static String script(Direction direction) {
        String tap = direction.tap();
        return "set -e; ip tuntap add dev " + tap + " mode tap; "
                + "trap 'tc filter del dev " + TrafficRedirect.INTERFACE + ' ' + direction.hook() + " pref "
                + PREFERENCE
                + " 2>/dev/null || true; ip link del " + tap + "' EXIT; "
                // A burst waits for the relay, whose JVM may not run for a while; the kernel's 500 frames last 25 ms at
                // 20,000 per second.
                + "ip link set dev " + tap + " txqueuelen " + BURST_FRAMES + "; "
                // What is for the container's address must be for the tap's too.
                + "ip link set dev " + tap + " address $(cat /sys/class/net/" + TrafficRedirect.INTERFACE
                + "/address) up; "
                + "tc qdisc add dev " + tap + " clsact; "
                + "tc filter add dev " + tap + " ingress protocol all bpf bytecode '" + ALL + "' action mirred "
                + direction.hook() + " redirect dev " + TrafficRedirect.INTERFACE
                // A shell becomes its last command, and forgets what it was to do at the end.
                + "; \"$@\" || exit $?; exit 0";
    }

    /** Returns all counters of its work; {@code last} if its container has ended. */
    RelayEvidence evidence(RelayEvidence last) {
        if (!process.isAlive()) {
            return last;
        }
        RelayReport report =
                process.ask(ControlCommand.REPORT, ProcessEvent.Report.class).as(RelayReport.class);
        String script = "ip -s -j link show dev " + direction.tap() + "; awk '/^Udp: [0-9]/ {print $8}' /proc/net/snmp";
        Docker.Result result = HelperContainer.inNetworkOf(container, script);
        if (result.isGone()) {
            return last;
        }
        String[] lines = result.outputOrThrow("no counters of " + container).split("\n", -1);
        try {
            JsonNode traffic = Json.parse(lines[0]).at("/0/stats64");
            return new RelayEvidence(
                    report,
                    traffic.at("/tx/packets").asLong(),
                    traffic.at("/rx/packets").asLong(),
                    traffic.at("/tx/dropped").asLong() + report.refused(),
                    Long.parseLong(lines[1]));
        } catch (JsonProcessingException e) {
            throw new LabException("the kernel's counters are no JSON: " + lines[0], e);
        }
    }

    /** Gives back what it still has. */
    @Override
    public void close() {
        if (process.end()) {
            undo.kept();
        } else {
            undo.run();
        }
    }
}
