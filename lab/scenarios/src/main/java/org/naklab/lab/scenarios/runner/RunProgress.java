package org.naklab.lab.scenarios.runner;

/**
 * The progress of a run.
 *
 * @param elapsedNs since the flow began
 * @param published at least: the processes report at different moments, and what has been received has been published
 * @param received by the market data service
 * @param journaled by the market data service
 * @param gatewayReceived by the gateway that is furthest behind
 */
public record RunProgress(long elapsedNs, long published, long received, long journaled, long gatewayReceived) {
    static final RunProgress NONE = new RunProgress(0, 0, 0, 0, 0);

    public RunProgress {
        published = Math.max(Math.max(published, received), Math.max(journaled, gatewayReceived));
    }

    /** Returns true if any counter has changed since. */
    boolean isBeyond(RunProgress earlier) {
        return published != earlier.published
                || received != earlier.received
                || journaled != earlier.journaled
                || gatewayReceived != earlier.gatewayReceived;
    }
}
