package org.naklab.lab.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.Json;
import org.naklab.lab.process.ServiceReport;
import org.naklab.lab.scenario.SocketReading;

/**
 * Leaves out of a run's losses what was lost while the scenario warmed up: machines that start, and a morning that is busier than
 * the flow that counts.
 */
final class SinceWarmUp {
    private final Map<String, ServiceReport> reports = new ConcurrentHashMap<>();
    private final Map<String, List<SocketReading>> sockets = new ConcurrentHashMap<>();

    /** Takes what a process tells while it warms up. */
    void accept(ChildEvent event) {
        if (event.event().equals("progress") && event.details().has("role")) {
            reports.put(event.process(), Json.value(event.details(), ServiceReport.class));
        } else if (event.event().equals(ReportedSockets.EVENT)) {
            sockets.put(event.process(), ReportedSockets.readings(event));
        }
    }

    ServiceReport of(ServiceReport last) {
        ServiceReport earlier = reports.get(last.name());
        return earlier == null ? last : last.withTransport(last.transport().since(earlier.transport()));
    }

    List<SocketReading> of(List<SocketReading> last) {
        Map<String, Long> dropsBefore = new HashMap<>();
        sockets.values().forEach(readings -> readings.forEach(each -> dropsBefore.put(key(each), each.drops())));
        return last.stream()
                .map(each -> each.withDrops(each.drops() - dropsBefore.getOrDefault(key(each), 0L)))
                .toList();
    }

    private static String key(SocketReading socket) {
        return socket.process() + " " + socket.localAddress() + ":" + socket.port();
    }
}
