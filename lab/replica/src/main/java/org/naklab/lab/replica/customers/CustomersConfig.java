package org.naklab.lab.replica.customers;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;

/**
 * The orders of the process with the customers.
 *
 * @param name of the process
 * @param servers whose customers they are
 * @param warmUpNs of the flow, whose events are not in the latencies
 * @param faultPlan what goes wrong in this process; {@code null}: nothing
 */
public record CustomersConfig(
        String name,
        List<Server> servers,
        long warmUpNs,
        @Nullable FaultPlan faultPlan) {
    /**
     * A process with customers.
     *
     * @param clients that connect to it
     * @param datagramPort UDP port to which it sends datagrams; 0: it sends none
     */
    public record Server(String name, int clients, int datagramPort) {}

    public CustomersConfig {
        servers = List.copyOf(servers);
    }

    /** Returns this configuration with faults. */
    public CustomersConfig with(FaultPlan newFaultPlan) {
        return new CustomersConfig(name, servers, warmUpNs, newFaultPlan);
    }

    /** Returns this configuration for a flow with a warm-up. */
    public CustomersConfig withWarmUpNs(long newWarmUpNs) {
        return new CustomersConfig(name, servers, newWarmUpNs, faultPlan);
    }
}
