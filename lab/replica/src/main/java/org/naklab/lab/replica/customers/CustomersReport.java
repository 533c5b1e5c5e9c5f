package org.naklab.lab.replica.customers;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;

/**
 * What the customers saw.
 *
 * @param servers each with its customers
 * @param faults what became of the faults of the process, by their ids
 */
public record CustomersReport(List<Served> servers, Map<String, FaultReport> faults) {
    /**
     * The customers of one server.
     *
     * @param server name of the process
     * @param orders that read order by order over SoupBinTCP from the first message on
     * @param lateJoiners that began with a snapshot of GLIMPSE
     * @param datagrams that receive MoldUDP64
     * @param quotes that read best prices
     * @param ended whose session the server ended in order: they have got everything
     * @param rejoined that were disconnected and began again with a snapshot
     * @param asked re-requests of the receivers of datagrams
     * @param messages that customers read
     * @param books customers that ended in order, by the digest of their books
     * @param dueToClient from the due time of an event until a customer that reads order by order has it in its books, after the warm-up
     * @param dueToQuote from the due time of an event until a customer that reads best prices has the price that it made
     * @param staleQuotes how long and by how much the best prices of the customer that reads from the first message on were not those of the
     *     exchange; {@code null} while it reads
     */
    public record Served(
            String server,
            int orders,
            int lateJoiners,
            int datagrams,
            int quotes,
            int ended,
            int rejoined,
            long asked,
            long messages,
            Map<Long, Integer> books,
            LatencyRecord.Hop dueToClient,
            LatencyRecord.Hop dueToQuote,
            @Nullable StaleQuotesRecord staleQuotes) {
        public Served {
            books = Map.copyOf(books);
        }

        /** Returns the number of customers that ended in order with books. */
        public int withBooks() {
            return books.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** Returns the number of customers. */
        public int customers() {
            return orders + lateJoiners + datagrams + quotes;
        }
    }

    public CustomersReport {
        servers = List.copyOf(servers);
        faults = Map.copyOf(faults);
    }
}
