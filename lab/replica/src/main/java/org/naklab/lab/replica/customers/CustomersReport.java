package org.naklab.lab.replica.customers;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.latency.CustomersRecord;

/**
 * Tells what the customers saw.
 *
 * @param servers each with its customers
 * @param faults what became of the faults of the process, by their ids
 */
public record CustomersReport(List<Served> servers, Map<String, FaultRecord> faults) {
    /**
     * The customers of one server.
     *
     * @param server name of the process
     */
    public record Served(
            String server,
            @JsonUnwrapped CustomersRecord.Kinds kinds,
            @JsonUnwrapped Progress progress,
            @JsonUnwrapped CustomersRecord.Lateness lateness) {
        /**
         * Counts what became of them, and what they read.
         *
         * @param ended whose session the server ended in order: they have got everything
         * @param rejoined that were disconnected and began again with a snapshot
         * @param asked re-requests of the receivers of datagrams
         * @param messages that customers read
         * @param books customers that ended in order, by the digest of their books
         */
        public record Progress(int ended, int rejoined, long asked, long messages, Map<Long, Integer> books) {
            public Progress {
                books = Map.copyOf(books);
            }
        }

        /** Returns the number of customers that ended in order with books. */
        public int withBooks() {
            return progress.books().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        }

        /** Returns the number of customers. */
        public int customers() {
            return kinds.orders() + kinds.lateJoiners() + kinds.datagrams() + kinds.quotes();
        }
    }

    public CustomersReport {
        servers = List.copyOf(servers);
        faults = Map.copyOf(faults);
    }
}
