package org.naklab.lab.replica.exchange;

import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.replica.customers.ServingConfig;
import org.naklab.lab.replica.transport.TransportConfig;

/**
 * The mock exchange's orders.
 *
 * @param sourceFile LOBSTER or ITCH; {@code null}: synthetic flow from the transport's seed
 * @param instruments of the synthetic flow
 * @param arrival of the synthetic flow
 * @param eventsPerSecond constant pace; 0 with {@code speed} 0: as fast as possible
 * @param speed factor on recorded time; 0: constant pace
 * @param gentleStartNs how long a constant pace takes to be reached; 0: at once
 * @param morning comes before the constant pace, in place of a gentle start; {@code null}: none
 * @param durationNs the flow ends after this long; {@link Long#MAX_VALUE}: when the source ends
 * @param faultPlan what goes wrong in this process; {@code null}: nothing
 * @param serving how it shows customers its own books; {@code null}: it does not
 */
public record ExchangeConfig(
        TransportConfig transport,
        @Nullable String sourceFile,
        int instruments,
        ArrivalPattern arrival,
        long eventsPerSecond,
        double speed,
        long gentleStartNs,
        @Nullable Preload morning,
        long durationNs,
        @Nullable FaultPlan faultPlan,
        @Nullable ServingConfig serving) {
    /** Returns this configuration with another transport. */
    public ExchangeConfig withTransport(TransportConfig other) {
        return copy(other, faultPlan, serving);
    }

    /** Returns this configuration with faults. */
    public ExchangeConfig with(FaultPlan newFaultPlan) {
        return copy(transport, newFaultPlan, serving);
    }

    /** Returns this configuration of an exchange that shows customers its own books. */
    public ExchangeConfig serving(ServingConfig customers) {
        return copy(transport, faultPlan, customers);
    }

    private ExchangeConfig copy(
            TransportConfig newTransport, @Nullable FaultPlan newFaultPlan, @Nullable ServingConfig newServing) {
        return new ExchangeConfig(
                newTransport,
                sourceFile,
                instruments,
                arrival,
                eventsPerSecond,
                speed,
                gentleStartNs,
                morning,
                durationNs,
                newFaultPlan,
                newServing);
    }
}
