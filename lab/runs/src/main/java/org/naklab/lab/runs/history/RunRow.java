package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.latency.StaleQuotesRecord;

/**
 * One run in the history.
 *
 * @param host that it ran on; with the directory it names the run
 * @param runDirectory absolute path on that host
 * @param startedUtc ISO 8601 with milliseconds: fixed width, so that it sorts as text
 * @param latencies of each subscriber and hop; empty if they were not measured
 * @param receivers the subscribers that gave a final report; empty if they are not known
 * @param staleQuotes {@code null}: they were not measured
 */
@JsonPropertyOrder({"startedUtc", "scenario", "remedy", "colour", "verdict", "diagnosis"})
public record RunRow(
        String host,
        String runDirectory,
        String startedUtc,
        @JsonUnwrapped RunCase runCase,
        @JsonUnwrapped RunFinding finding,
        @JsonUnwrapped RunFigures figures,
        HostFacts hostFacts,
        List<Receiver> receivers,
        List<LatencyRow> latencies,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StaleQuotesRecord staleQuotes) {
    static final int DAY_LENGTH = "uuuu-mm-dd".length();

    /**
     * Counts what one subscriber had to recover.
     *
     * @param naks that it sent
     * @param recovered datagrams that came in at it behind later ones, or again
     */
    @JsonPropertyOrder({"name", "colour"})
    public record Receiver(String name, long naks, long recovered) {
        /** Returns red if it sent a NAK, yellow if it saw retransmissions or a disorder without one, and blue otherwise. */
        @JsonProperty
        public RunColour colour() {
            if (naks > 0) {
                return RunColour.RED;
            }
            return recovered > 0 ? RunColour.YELLOW : RunColour.BLUE;
        }
    }

    public RunRow {
        receivers = List.copyOf(receivers);
        latencies = List.copyOf(latencies);
    }

    /** Creates a row of a run whose latencies were not measured. */
    public RunRow(
            String host,
            String runDirectory,
            String startedUtc,
            RunCase runCase,
            RunFinding finding,
            RunFigures figures,
            HostFacts hostFacts,
            List<Receiver> receivers) {
        this(host, runDirectory, startedUtc, runCase, finding, figures, hostFacts, receivers, List.of(), null);
    }

    /** Creates a row of a run whose receivers are not known. */
    public RunRow(
            String host,
            String runDirectory,
            String startedUtc,
            RunCase runCase,
            RunFinding finding,
            RunFigures figures,
            HostFacts hostFacts) {
        this(host, runDirectory, startedUtc, runCase, finding, figures, hostFacts, List.of());
    }

    /** Returns this run with its receivers. */
    public RunRow with(List<Receiver> known) {
        return new RunRow(
                host, runDirectory, startedUtc, runCase, finding, figures, hostFacts, known, latencies, staleQuotes);
    }

    /** Returns this run with its latencies. */
    public RunRow withLatencies(List<LatencyRow> known) {
        return new RunRow(
                host, runDirectory, startedUtc, runCase, finding, figures, hostFacts, receivers, known, staleQuotes);
    }

    /** Returns this run with its stale quotes; {@code null}: they were not measured. */
    public RunRow withStaleQuotes(@Nullable StaleQuotesRecord known) {
        return new RunRow(
                host, runDirectory, startedUtc, runCase, finding, figures, hostFacts, receivers, latencies, known);
    }

    /** Returns the latencies of the market data service from due to in the order books; empty if they were not measured. */
    Optional<LatencyRow> serviceLatency() {
        return serviceLatency(LatencyRow.DUE_TO_BOOK);
    }

    /** Returns the latencies of the market data service at a hop; empty if no event took it. */
    Optional<LatencyRow> serviceLatency(String hop) {
        return latencies.stream()
                .filter(row ->
                        row.process().equals(ProcessNames.SERVICE) && row.hop().equals(hop))
                .findFirst();
    }

    /** Returns this run with its present directory, which may differ from the directory in which it ran. */
    public RunRow in(Path directory) {
        return new RunRow(
                host,
                directory.toString(),
                startedUtc,
                runCase,
                finding,
                figures,
                hostFacts,
                receivers,
                latencies,
                staleQuotes);
    }

    /** Returns the word for its NAKs and retransmissions in the documents. */
    @JsonProperty
    public RunColour colour() {
        return RunColour.of(figures);
    }

    /** Returns its mark in the calendar. */
    @JsonIgnore
    public RunMark mark() {
        return RunMark.of(finding.verdict());
    }

    /** The directory's name: what one calls the run by. */
    @JsonProperty
    public String name() {
        return runDirectory.substring(runDirectory.lastIndexOf('/') + 1);
    }

    /** {@code uuuu-mm-dd}, in UTC. */
    @JsonIgnore
    public String day() {
        return startedUtc.substring(0, Math.min(DAY_LENGTH, startedUtc.length()));
    }
}
