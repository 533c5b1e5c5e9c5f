package org.naklab.lab.containers.faults.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/** Frames of one direction that are led from a container's interface to another device of its network namespace. */
final class TrafficRedirect {
    static final String PRIVILEGES = "root of the engine; Linux, with cls_bpf, act_mirred, sch_ingress and veth";
    static final String INTERFACE = "eth0";
    /** A pair of interfaces without addresses: what is sent by the one, the other receives, and drops. */
    static final String HOLE = "nakhole";

    private static final String MAKE_HOLE = "{ ip link show " + HOLE + " >/dev/null 2>&1 || ip link add " + HOLE
            + " type veth peer name " + HOLE + "-end || ip link show " + HOLE + " >/dev/null; } && ip link set " + HOLE
            + " up && ip link set " + HOLE + "-end up && ";
    private static final String HAS_HOOK = "tc qdisc show dev " + INTERFACE + " | grep -q clsact";
    private static final String MAKE_HOOK =
            "{ " + HAS_HOOK + " || tc qdisc add dev " + INTERFACE + " clsact || " + HAS_HOOK + "; } && ";
    /** Another fault in the same network may make or remove the same devices meanwhile. */
    private static final String TRIES = "5";

    static final String REMOVE_UNUSED =
            "if [ -z \"$(tc filter show dev " + INTERFACE + " ingress 2>/dev/null)$(tc filter show dev "
                    + INTERFACE + " egress 2>/dev/null)\" ]; then tc qdisc del dev " + INTERFACE
                    + " clsact 2>/dev/null; ip link del " + HOLE + " 2>/dev/null; fi";

    private final String container;
    private final Direction direction;
    private final int preference;
    private @Nullable Undo undo;

    /** @param preference lower ones are asked first; one for each diversion of a direction */
    TrafficRedirect(String container, Direction direction, int preference) {
        this.container = container;
        this.direction = direction;
        this.preference = preference;
    }

    /**
     * Frames that the kernel has counted.
     *
     * @param diverted frames
     * @param offered frames that the interface has received, or those that it has sent and the diverted ones
     */
    record Counts(long diverted, long offered) {
        Counts since(Counts earlier) {
            return new Counts(diverted - earlier.diverted, offered - earlier.offered);
        }
    }

    Counts begin(PacketFilter filter, String device) {
        String add = (device.equals(HOLE) ? MAKE_HOLE : "") + MAKE_HOOK + "tc filter add " + place() + " protocol "
                + filter.protocol() + " bpf bytecode '" + filter.bytecode() + "' action mirred egress redirect dev "
                + device;
        String script = "set -e; tries=1; until { " + add + "; }; do [ $tries -lt " + TRIES
                + " ]; tries=$((tries + 1)); done; " + show();
        String id = HelperContainer.idOf(container);
        Undo promised = Undo.promise(
                "remove a filter in the network of " + container, HelperContainer.commandInNetworkOf(id, remove()));
        undo = promised;
        return promised.orUndo(() -> parse(HelperContainer.inNetworkOf(id, script)
                .outputOrThrow("cannot inject a fault into the network of " + container)));
    }

    /** Reads the counters; returns the last ones for a container that has ended. */
    Counts read(Counts last) {
        Docker.Result result = HelperContainer.inNetworkOf(container, show());
        return result.isGone() ? last : parse(result.outputOrThrow("no counters of " + container));
    }

    /** Ends the redirect, and returns the counts until then. */
    Counts end(Counts last) {
        Docker.Result result = HelperContainer.inNetworkOf(container, show() + "; " + remove());
        Undo promised = undo;
        if (promised != null && result.succeeded()) {
            promised.kept();
        } else if (promised != null) {
            promised.run();
        }
        return result.succeeded() ? parse(result.output()) : last;
    }

    /** Succeeds when the filter is gone, whoever removed it. */
    private String remove() {
        return "tc filter del " + place() + " 2>/dev/null; " + REMOVE_UNUSED + "; [ -z \"$(tc filter show " + place()
                + " 2>/dev/null)\" ]";
    }

    private String place() {
        return "dev " + INTERFACE + ' ' + direction.hook() + " pref " + preference;
    }

    private String show() {
        return "ip -s -j link show dev " + INTERFACE + "; tc -s -j filter show dev " + INTERFACE + ' '
                + direction.hook();
    }

    private Counts parse(String output) {
        List<JsonNode> documents = output.lines()
                .filter(line -> line.startsWith("["))
                .map(TrafficRedirect::document)
                .toList();
        if (documents.size() != 2) {
            throw new LabException("no counters of " + container + ": " + output);
        }
        long diverted = StreamSupport.stream(documents.get(1).spliterator(), false)
                .filter(filter -> filter.path("pref").asInt() == preference)
                .mapToLong(
                        filter -> filter.at("/options/actions/0/stats/packets").asLong())
                .sum();
        JsonNode traffic = documents.get(0).at("/0/stats64");
        return new Counts(
                diverted,
                direction == Direction.INCOMING
                        ? traffic.at("/rx/packets").asLong()
                        : traffic.at("/tx/packets").asLong() + diverted);
    }

    private static JsonNode document(String line) {
        try {
            return Json.parse(line);
        } catch (JsonProcessingException e) {
            throw new LabException("the kernel's counters are no JSON: " + line, e);
        }
    }
}
