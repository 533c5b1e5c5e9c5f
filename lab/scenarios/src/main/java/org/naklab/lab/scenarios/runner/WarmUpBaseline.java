package org.naklab.lab.scenarios.runner;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.Deployment;

/**
 * Leaves out of a run's figures what transport and ring counted while the scenario warmed up: machines that start, and a morning that is
 * busier than the flow that counts. Thread-safe.
 */
final class WarmUpBaseline {
    private final Map<String, ServiceReport> reports = new ConcurrentHashMap<>();

    /** Takes what a process tells while it warms up. */
    void accept(String process, ProcessEvent event) {
        if (event instanceof ProcessEvent.Progress progress
                && !process.equals(Deployment.EXCHANGE)
                && !process.equals(Customers.PROCESS)) {
            reports.put(process, progress.as(ServiceReport.class));
        }
    }

    ServiceReport of(ServiceReport last) {
        ServiceReport earlier = reports.get(last.name());
        return earlier == null
                ? last
                : last.with(subscriber -> subscriber
                        .withTransport(subscriber
                                .intake()
                                .transport()
                                .since(earlier.intake().transport()))
                        .withBackPressure(subscriber.flow().backPressure()
                                - earlier.flow().backPressure()));
    }
}
