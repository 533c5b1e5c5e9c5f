package org.naklab.lab.containers.faults.network;

/** A redirect of frames to where they are dropped, with the kernel's counts since it began. */
final class Discarding implements AutoCloseable {
    private final TrafficRedirect redirect;
    private final TrafficRedirect.Counts atArming;
    private TrafficRedirect.Counts latest;
    private boolean isClosed;

    /**
     * Begins to drop.
     *
     * @param preference see {@link TrafficRedirect}
     * @param dropped the frames to drop
     */
    Discarding(String container, Direction direction, int preference, PacketFilter dropped) {
        redirect = new TrafficRedirect(container, direction, preference);
        atArming = redirect.begin(dropped, TrafficRedirect.HOLE);
        latest = atArming;
    }

    /** Returns the counts since the beginning; after {@link #close()}, the counts up to the end. */
    synchronized TrafficRedirect.Counts counts() {
        if (!isClosed) {
            latest = redirect.read(latest);
        }
        return latest.since(atArming);
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            latest = redirect.end(latest);
            isClosed = true;
        }
    }
}
