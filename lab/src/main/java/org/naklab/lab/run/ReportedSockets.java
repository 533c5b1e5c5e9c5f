package org.naklab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.scenario.SocketReading;

/** The sockets of processes in containers, as each tells of its own. */
final class ReportedSockets implements SocketWatch {
    static final String EVENT = "sockets";

    private final Map<String, List<SocketReading>> byProcess = new TreeMap<>();

    /** Takes what a process tells, if it is that. */
    synchronized void accept(ChildEvent event) {
        if (event.event().equals(EVENT)) {
            byProcess.put(event.process(), readings(event));
        }
    }

    static List<SocketReading> readings(ChildEvent event) {
        List<SocketReading> readings = new ArrayList<>();
        for (JsonNode socket : event.details().path(EVENT)) {
            readings.add(new SocketReading(
                    event.process(),
                    socket.path("localAddress").asText(),
                    socket.path("port").asInt(),
                    socket.path("maxDepthBytes").asLong(),
                    socket.path("drops").asLong()));
        }
        return readings;
    }

    @Override
    public synchronized boolean canSee() {
        return !byProcess.isEmpty();
    }

    @Override
    public synchronized List<SocketReading> readings() {
        return byProcess.values().stream().flatMap(List::stream).toList();
    }

    @Override
    public void close() {
        // Nothing runs.
    }
}
