package org.naklab.lab.tools.jitter;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A line of the process that measures. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = MeterReport.class, name = "report"),
    @JsonSubTypes.Type(value = MeterLine.WorstSoFar.class, name = "worst")
})
sealed interface MeterLine permits MeterReport, MeterLine.WorstSoFar {
    /**
     * Is a message that was later than all before it. Times are CLOCK_MONOTONIC in ns.
     *
     * @param latencyNs from when it was due to when it was read
     * @param readNs when it was read
     */
    record WorstSoFar(long latencyNs, long readNs) implements MeterLine {}
}
