package org.naklab.lab.replica.customers;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * Tells what became of the customers of a process, as the process counts them.
 *
 * @param messages of the session
 * @param failure why customers were served no more although the feed went on; {@code null}: they were
 */
public record ServingReport(
        @JsonUnwrapped Connections connections,
        @JsonUnwrapped Slow slow,
        long messages,
        @Nullable String failure) {
    /**
     * Counts the connections.
     *
     * @param logins of customers
     * @param mostAtOnce connections at one time
     * @param refused because there were too many
     */
    public record Connections(long logins, long mostAtOnce, long refused) {}

    /**
     * Tells what became of the customers that read too slowly.
     *
     * @param warned that they read too slowly
     * @param disconnected because they read too slowly
     * @param skippedQuotes best prices that were replaced before their customer read them
     * @param mostWaitingBytes that waited at one time for one customer, beside its socket's buffer
     */
    public record Slow(long warned, long disconnected, long skippedQuotes, long mostWaitingBytes) {}
}
