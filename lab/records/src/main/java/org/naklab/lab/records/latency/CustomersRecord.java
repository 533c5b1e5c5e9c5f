package org.naklab.lab.records.latency;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.ProcessNames;

/**
 * The customers of the service or a gateway, and what they saw.
 *
 * @param server name of the process that served them
 * @param failure why the server served nobody any more although the feed went on; {@code null}: it did
 */
public record CustomersRecord(
        String server,
        @JsonUnwrapped Kinds kinds,
        @JsonUnwrapped Books books,
        @JsonUnwrapped Slow slow,
        @JsonUnwrapped Traffic traffic,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String failure,
        @JsonUnwrapped Lateness lateness) {
    /**
     * Counts the customers by what they read.
     *
     * @param orders customers that read order by order over SoupBinTCP
     * @param lateJoiners customers that began with a snapshot of GLIMPSE
     * @param datagrams customers that received MoldUDP64
     * @param quotes customers that read best prices
     */
    public record Kinds(int orders, int lateJoiners, int datagrams, int quotes) {}

    /**
     * Counts the customers that ended in order, and compares their books.
     *
     * @param ended customers whose session the server ended in order: they have got everything
     * @param sameBooks customers that kept books and have those of the server at the end, by digest
     * @param otherBooks customers that have others
     */
    public record Books(int ended, int sameBooks, int otherBooks) {}

    /**
     * Tells what became of the customers that read too slowly, and of those that were too many.
     *
     * @param warned times that the server warned a customer that read too slowly
     * @param disconnected customers that the server disconnected because they read too slowly
     * @param rejoined customers that began again with a snapshot then
     * @param refused connections that the server refused because there were too many
     * @param skippedQuotes best prices that were replaced before their customer read them
     */
    public record Slow(long warned, long disconnected, int rejoined, long refused, long skippedQuotes) {}

    /**
     * Counts what was sent.
     *
     * @param reRequests of the customers that received datagrams
     * @param mostWaitingBytes that waited in the server at one time for one customer, beside its socket's buffer
     * @param messages that the customers read
     */
    public record Traffic(long reRequests, long mostWaitingBytes, long messages) {}

    /**
     * Tells how late the customers had what they read.
     *
     * @param dueToClient from the due time of an event until a customer had it in its books, after the warm-up
     * @param dueToQuote from the due time of an event until a customer had the best price that it made, after the warm-up
     * @param staleQuotes of the customer that read everything order by order; {@code null}: not measured
     */
    public record Lateness(
            LatencyRecord.Hop dueToClient,
            LatencyRecord.Hop dueToQuote,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            StaleQuotesRecord staleQuotes) {
        public Lateness {
            dueToClient = dueToClient == null ? LatencyRecord.Hop.NONE : dueToClient;
            dueToQuote = dueToQuote == null ? LatencyRecord.Hop.NONE : dueToQuote;
        }
    }

    /** A price that is wrong for longer is told of. */
    private static final double LONG_MS = 10;

    public CustomersRecord {
        server = server == null ? "" : server;
    }

    /** Returns the number of customers. */
    @JsonIgnore
    public int customers() {
        return kinds.orders() + kinds.lateJoiners() + kinds.datagrams() + kinds.quotes();
    }

    /** Returns how old a price became that a customer saw, beside the customers of the other processes; empty if nobody measured it. */
    public static Optional<String> sentence(List<CustomersRecord> all) {
        Optional<CustomersRecord> service = all.stream()
                .filter(each -> each.server.equals(ProcessNames.SERVICE) && each.lateness.staleQuotes() != null)
                .findFirst();
        List<CustomersRecord> gateways = all.stream()
                .filter(each -> !each.server.equals(ProcessNames.SERVICE) && each.lateness.staleQuotes() != null)
                .toList();
        if (service.isEmpty()) {
            return gateways.isEmpty()
                    ? Optional.empty()
                    : Optional.of(gateways.stream()
                            .map(each -> "customers of " + each.server + " saw prices that were up to " + oldest(each)
                                    + " old")
                            .collect(Collectors.joining("; ")));
        }
        String others = gateways.stream()
                .map(each -> "; those of " + each.server
                        + (isLong(each)
                                ? " saw some up to " + oldest(each) + " old"
                                : " did not (" + oldest(each) + ")"))
                .collect(Collectors.joining());
        CustomersRecord own = service.get();
        return Optional.of(
                isLong(own)
                        ? "customers of the service saw prices that were up to " + oldest(own) + " old" + others
                        : "customers of the service saw no price that was more than " + oldest(own) + " old"
                                + gateways.stream()
                                        .map(each -> "; those of " + each.server + " none more than " + oldest(each))
                                        .collect(Collectors.joining()));
    }

    /** Returns how late the customers had what they read, and what became of the slow ones. */
    public String figures() {
        StringBuilder text =
                new StringBuilder("customers of " + server + ": " + Format.count(customers()) + ", due to client p50 "
                        + LatencyRecord.milliseconds(lateness.dueToClient().p50Us()) + " ms, p99.9 "
                        + LatencyRecord.milliseconds(lateness.dueToClient().p999Us()) + " ms, max "
                        + LatencyRecord.milliseconds(lateness.dueToClient().maxUs()) + " ms; "
                        + Format.count(books.sameBooks()) + " of "
                        + Format.count(books.sameBooks() + books.otherBooks()) + " order books are the server's");
        if (slow.skippedQuotes() > 0) {
            text.append("; ").append(Format.count(slow.skippedQuotes())).append(" best prices skipped");
        }
        if (slow.warned() + slow.disconnected() > 0) {
            text.append("; warned ")
                    .append(Format.count(slow.warned()))
                    .append(", disconnected ")
                    .append(Format.count(slow.disconnected()));
        }
        return text.toString();
    }

    private static boolean isLong(CustomersRecord customers) {
        return customers.lateness.staleQuotes() != null
                && customers.lateness.staleQuotes().longestMs() > LONG_MS;
    }

    private static String oldest(CustomersRecord customers) {
        return Format.milliseconds(
                customers.lateness.staleQuotes() == null
                        ? 0
                        : customers.lateness.staleQuotes().longestMs());
    }
}
