package org.naklab.lab.tools.jitter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.trace.CpuActivity;
import org.naklab.lab.tools.jitter.reason.Part;
import org.naklab.lab.tools.jitter.reason.Reason;

/**
 * The result of {@code naklab jitter}: the document of {@code --json}. Lengths are in microseconds; times are of the wall clock or CLOCK_MONOTONIC in ns.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JitterReport(
        @JsonUnwrapped Run run,
        @JsonUnwrapped Threads threads,
        @JsonUnwrapped Measured measured,
        @JsonUnwrapped Outlying outlying,
        @JsonUnwrapped Pauses pauses,
        @JsonUnwrapped Circumstances circumstances,
        @JsonIgnore Histogram histogram) {
    /**
     * Describes what ran, and for how long.
     *
     * @param beganUtc when the measurement began, after the warm-up
     * @param java version of the JVM
     * @param flags of the JVM beside those that all processes of the lab have
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Run(String beganUtc, String java, List<String> flags, double durationS, double warmUpS) {}

    /**
     * Describes the two threads and their pace.
     *
     * @param producerCpu the only CPU of the sending thread; -1: any
     * @param consumerCpu the same of the receiving thread
     * @param waiting how a thread of the meter waits: {@code spin} or {@code yield}; with a pace of more than 0.3 ms it also sleeps
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Threads(double paceUs, int producerCpu, int consumerCpu, String waiting) {}

    /**
     * Contains what was measured of all messages.
     *
     * @param allocatedBytes by the receiving thread while it measured
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Measured(long messages, long allocatedBytes, Latency latencyUs) {}

    /**
     * Contains the outliers and their reasons.
     *
     * @param thresholdUs messages as late as this and later are outliers
     * @param outliers how many there were
     * @param outliersNotKept late messages that are not among them, as there were too many
     * @param attributed how many outliers have a reason
     * @param reasons the outliers by reason, the reason that took longest in all first
     * @param worst the longest outliers, the longest first
     * @param phase how many outliers began in each twentieth of a second of the wall clock
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Outlying(
            double thresholdUs,
            long outliers,
            long outliersNotKept,
            long attributed,
            List<ReasonSum> reasons,
            List<Late> worst,
            List<Long> phase) {}

    /**
     * Contains the pauses of the JVM beside the outliers.
     *
     * @param safepoints of the JVM while it measured, by operation
     * @param jfrSafepoints how many JFR counted meanwhile by operation, for comparison with the log
     * @param periodicSafepoints how many of these the JVM made of its own accord, without an operation that somebody asked for
     * @param secondsWithOutlier in how many seconds of the measurement there was an outlier
     * @param secondsWithPause the same of outliers whose reason is a safepoint or a collection
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Pauses(
            List<SafepointTable.Row> safepoints,
            List<OperationCount> jfrSafepoints,
            long periodicSafepoints,
            long secondsWithOutlier,
            long secondsWithPause) {}

    /**
     * Contains what could explain an outlier, and what nobody looked at.
     *
     * @param lookedAt the sources of the reasons
     * @param notLookedAt what was not looked at, with the reason and what to do; then outliers may be unexplained for that
     * @param injected the pauses that were made on purpose; null: none
     * @param stolenShare how much of its time the hypervisor took from the CPU that lost most, 0 to 1, from start to end of the process
     * @param worstTrace the kernel's trace of the worst outlier; null: not asked for, or there was no outlier
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Circumstances(
            List<String> lookedAt,
            List<String> notLookedAt,
            @Nullable Injected injected,
            double stolenShare,
            @Nullable WorstTrace worstTrace) {}

    /**
     * Is the kernel's trace of the worst outlier.
     *
     * @param file the whole trace
     * @param thread that was late
     * @param cpu on which it was; -1: the trace does not show it
     * @param activity what ran there from when the message was due to when it was read
     */
    public record WorstTrace(String file, String thread, int cpu, List<CpuActivity.Sum> activity) {}

    /** Percentiles of the latencies, us. */
    public record Latency(double p50, double p90, double p99, double p999, double p9999, double max) {
        /** Returns the percentiles of a histogram of nanoseconds. */
        public static Latency of(Histogram ns) {
            return new Latency(
                    ns.getValueAtPercentile(50) / Units.NS_PER_US,
                    ns.getValueAtPercentile(90) / Units.NS_PER_US,
                    ns.getValueAtPercentile(99) / Units.NS_PER_US,
                    ns.getValueAtPercentile(99.9) / Units.NS_PER_US,
                    ns.getValueAtPercentile(99.99) / Units.NS_PER_US,
                    ns.getMaxValue() / Units.NS_PER_US);
        }
    }

    /**
     * The outliers of one reason.
     *
     * @param totalUs sum of their lengths
     * @param detail of the longest
     */
    public record ReasonSum(Reason reason, long count, double totalUs, double longestUs, String detail) {}

    /**
     * One outlier.
     *
     * @param thread the thread that was late
     */
    public record Late(
            @JsonUnwrapped When when,
            @JsonUnwrapped Delay delay,
            String thread,
            @JsonUnwrapped Reasoned reason) {
        /**
         * Tells when it was.
         *
         * @param atNs when its latest message was due, CLOCK_MONOTONIC in ns
         */
        public record When(long atNs, String utc) {}

        /**
         * Tells how late the message was, and where in the second.
         *
         * @param us how late that message was
         * @param messages how many were late
         * @param phaseMs how far into the second of the wall clock it began
         */
        public record Delay(double us, long messages, double phaseMs) {}

        /**
         * Tells why.
         *
         * @param parts what kept it
         */
        public record Reasoned(Reason reason, String detail, List<Part> parts) {}
    }

    /** Safepoints of one operation. */
    public record OperationCount(String operation, long count) {}

    /**
     * Pauses that were made on purpose.
     *
     * @param kind as on the command line
     * @param lengthUs as asked for
     * @param made how many were in force while it was measured, by the log of the injector; of safepoints, those that JFR recorded with half of the length or more
     * @param found in how many of them an outlier began, ended or went on
     * @param attributed for how many of these the longest such outlier has a reason
     * @param named for how many of these what was injected is among the parts; a thread that does not have its CPU when it is stopped, is not stopped
     * @param unexplainedBesides outliers without a reason outside of these pauses: what the machine does that no source shows
     */
    public record Injected(
            String kind, double lengthUs, int made, int found, int attributed, int named, long unexplainedBesides) {}
}
