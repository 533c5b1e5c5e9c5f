package org.naklab.messaging.publication;

/** Tells what the context's thread does with a publication. */
public interface ManagedPublication extends ContextPublication {
    /**
     * Ends a rate-limit interval that is over.
     *
     * @param nowNs the context's clock
     * @return more than 0 when something was done
     */
    int poll(long nowNs);

    /**
     * Takes no more messages; tries once to send what is queued.
     *
     * @return whether nothing is queued any more
     */
    boolean disconnect();
}
