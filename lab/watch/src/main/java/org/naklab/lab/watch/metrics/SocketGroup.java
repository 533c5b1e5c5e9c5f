package org.naklab.lab.watch.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** The sockets of a process that have the same label: those of one multicast group, whatever their number. */
record SocketGroup(String label, List<SocketSummary> sockets) {
    /** Label of the sockets that have joined no group. */
    static final String UNICAST = "unicast";

    /** Label of the sockets that have joined several groups. */
    static final String SEVERAL = "several";

    /** Label of the groups that came after the first {@link #MAX_GROUPS}. */
    static final String OTHER = "other";

    /** Groups of a process that have a label of their own, so that a process cannot produce time series without end. */
    static final int MAX_GROUPS = 50;

    /**
     * Sorts sockets by their labels.
     *
     * @param known groups that have a label; new ones are added as long as there are not too many
     */
    static List<SocketGroup> of(List<SocketSummary> sockets, Set<String> known) {
        Map<String, List<SocketSummary>> byLabel = new LinkedHashMap<>();
        for (SocketSummary socket : sockets) {
            byLabel.computeIfAbsent(label(socket.groups(), known), label -> new ArrayList<>())
                    .add(socket);
        }
        return byLabel.entrySet().stream()
                .map(entry -> new SocketGroup(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String label(List<String> groups, Set<String> known) {
        if (groups.isEmpty()) {
            return UNICAST;
        }
        if (groups.size() > 1) {
            return SEVERAL;
        }
        String group = groups.get(0);
        if (known.size() < MAX_GROUPS) {
            known.add(group);
        }
        return known.contains(group) ? group : OTHER;
    }

    /** Returns the depth of the deepest socket. */
    OptionalDouble depthBytes() {
        return max(each -> each.depths().depthBytes());
    }

    /** Returns the smallest limit; empty if none is known. */
    OptionalDouble limitBytes() {
        return min(each -> each.depths().limitBytes());
    }

    double drops() {
        return sockets.stream().mapToLong(SocketSummary::drops).sum();
    }

    /** Returns the highest arrival rate of one socket; empty if none is known. */
    OptionalDouble arrivalBytesPerSecond() {
        return max(socket -> socket.headroom().present().arrivalBytesPerSecond());
    }

    /** Returns the headroom of the socket that has the least; empty if none is known. */
    OptionalDouble headroomSeconds() {
        return seconds(min(socket -> socket.headroom().present().headroomMs()));
    }

    /** Returns the longest stall; 0 if there was none. */
    OptionalDouble longestStallSeconds() {
        return seconds(max(socket -> socket.headroom().longestStallMs()));
    }

    /** Returns the longest stall of the last one to two minutes; 0 if there was none. */
    OptionalDouble longestLatelySeconds() {
        return seconds(max(socket -> socket.longestLatelyNs() / Units.NS_PER_MS));
    }

    private OptionalDouble max(ToDoubleFunction<SocketSummary> figure) {
        return sockets.stream().mapToDouble(figure).filter(SocketGroup::isKnown).max();
    }

    private OptionalDouble min(ToDoubleFunction<SocketSummary> figure) {
        return sockets.stream().mapToDouble(figure).filter(SocketGroup::isKnown).min();
    }

    private static boolean isKnown(double figure) {
        return figure > Headroom.UNKNOWN;
    }

    private static OptionalDouble seconds(OptionalDouble milliseconds) {
        return milliseconds.isPresent()
                ? OptionalDouble.of(milliseconds.getAsDouble() / Units.MS_PER_S)
                : OptionalDouble.empty();
    }
}
