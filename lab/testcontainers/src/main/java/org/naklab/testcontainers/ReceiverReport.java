package org.naklab.testcontainers;

/**
 * The figures of a receiver.
 *
 * @param name of its process
 * @param hasJournal whether it is a service; a gateway has none
 * @param received events
 * @param missing events that are known to have been sent and have not come
 * @param journaled events that are in its journal; 0 without one
 * @param naksSent since the traffic began
 * @param digest of all events that it received
 * @param trailerSeen whether the end of the feed has come
 * @param complete whether the end of the feed and everything before it has come
 */
public record ReceiverReport(
        String name,
        boolean hasJournal,
        long received,
        long missing,
        long journaled,
        long naksSent,
        long digest,
        boolean trailerSeen,
        boolean complete) {
    /** The figures as the process writes them. */
    record Written(
            String name,
            String role,
            long received,
            long missing,
            long journaled,
            long digest,
            boolean trailerSeen,
            boolean complete,
            Transport transport) {
        ReceiverReport report() {
            return new ReceiverReport(
                    name,
                    role.equals("SERVICE"),
                    received,
                    missing,
                    journaled,
                    transport.naksSent(),
                    digest,
                    trailerSeen,
                    complete);
        }
    }

    /** The part about the transport. */
    record Transport(long naksSent) {}
}
