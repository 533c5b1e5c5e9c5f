package org.naklab.faults.seam;

/** Tells where a process that has clients of a server offers to slow down their reading. Its owner implements {@link Clients}. */
public final class ClientReads {
    private final Clients clients;

    /** Creates the extension point. */
    public ClientReads(Clients clients) {
        this.clients = clients;
    }

    /** Returns the clients. */
    public Clients clients() {
        return clients;
    }

    /** The clients of one server. Any thread. */
    public interface Clients {
        /**
         * Lets some clients read slowly that read freely so far.
         *
         * @param count of clients
         * @param bytesPerSecond that each reads; 0: it reads nothing
         * @return those that do: fewer if there are not as many
         */
        SlowReaders slowDown(int count, int bytesPerSecond);
    }

    /** Clients that read slowly. Any thread. */
    public interface SlowReaders {
        /** Returns how many they are. */
        int clients();

        /** Lets them read freely again. */
        void release();

        /** Returns how far they are behind. */
        Behind behind();
    }

    /**
     * Tells how far slow clients are behind one that reads freely.
     *
     * @param clients that are behind or were disconnected
     * @param disconnected of these, those that know that the server has disconnected them: one that reads slowly finds out late
     * @param mostMessages that one of them has not read and one that reads freely has
     */
    public record Behind(int clients, int disconnected, long mostMessages) {}
}
