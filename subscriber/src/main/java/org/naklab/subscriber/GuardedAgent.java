package org.naklab.subscriber;

import org.agrona.concurrent.Agent;

/** Ends an agent at its first exception and makes that the service's failure. */
final class GuardedAgent implements Agent {
    private final Agent agent;
    private final ServiceFailure failure;
    private boolean hasFailed;

    GuardedAgent(Agent agent, ServiceFailure failure) {
        this.agent = agent;
        this.failure = failure;
    }

    @Override
    public void onStart() {
        try {
            agent.onStart();
        } catch (Exception | Error e) {
            fail(e);
        }
    }

    @Override
    public int doWork() {
        if (hasFailed) {
            // The runner's thread idles until the service is closed; another agent's failure does not end this one,
            // since
            // what is in the ring already shall reach the journal.
            return 0;
        }
        try {
            return agent.doWork();
        } catch (Exception | Error e) {
            fail(e);
            return 0;
        }
    }

    @Override
    public void onClose() {
        try {
            agent.onClose();
        } catch (Exception | Error e) {
            failure.set(e);
        }
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }

    private void fail(Throwable cause) {
        hasFailed = true;
        failure.set(cause);
    }
}
