package org.naklab.lab.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.Json;
import org.naklab.lab.process.ServiceReport;

/**
 * Leaves out of a run's figures what the transport counted while the scenario warmed up: machines that start, and a morning that is
 * busier than the flow that counts. Thread-safe.
 */
final class SinceWarmUp {
    private final Map<String, ServiceReport> reports = new ConcurrentHashMap<>();

    /** Takes what a process tells while it warms up. */
    void accept(ChildEvent event) {
        if (event.event().equals("progress") && event.details().has("role")) {
            reports.put(event.process(), Json.value(event.details(), ServiceReport.class));
        }
    }

    ServiceReport of(ServiceReport last) {
        ServiceReport earlier = reports.get(last.name());
        return earlier == null ? last : last.withTransport(last.transport().since(earlier.transport()));
    }
}
