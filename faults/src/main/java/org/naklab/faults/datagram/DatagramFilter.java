package org.naklab.faults.datagram;

/** Decides what becomes of datagrams. Called by whatever thread runs the endpoint. */
interface DatagramFilter {
    Fate fateOf(Datagram datagram);

    /** Tells what becomes of a datagram. */
    enum Action {
        PASS,
        DROP,
        /** It passes, and a copy right after it. */
        DUPLICATE,
        HOLD
    }

    /**
     * An action, and its measures.
     *
     * @param holdNs for HOLD: the longest that it is held
     * @param behind for HOLD: it is let go after so many later datagrams; 0: time alone decides
     */
    record Fate(Action action, long holdNs, int behind) {
        static final Fate PASS = new Fate(Action.PASS, 0, 0);
        static final Fate DROP = new Fate(Action.DROP, 0, 0);
        static final Fate DUPLICATE = new Fate(Action.DUPLICATE, 0, 0);

        static Fate hold(long holdNs, int behind) {
            return new Fate(Action.HOLD, holdNs, behind);
        }
    }
}
