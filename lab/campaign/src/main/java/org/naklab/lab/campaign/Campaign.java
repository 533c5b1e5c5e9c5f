package org.naklab.lab.campaign;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A campaign as the history keeps it.
 *
 * @param startedUtc ISO 8601 in UTC with milliseconds
 * @param commit of the lab's source code; {@code null}: not known
 * @param corpus seeds that failed in earlier campaigns, which are played first
 * @param isStopped the user has asked for its end
 */
public record Campaign(
        String name,
        CampaignPlan plan,
        String startedUtc,
        @Nullable String commit,
        List<Long> corpus,
        boolean isStopped) {
    public Campaign {
        corpus = List.copyOf(corpus);
    }

    /** Returns the number of trials, the canary included. */
    public long trials() {
        return plan.steps(corpus).stream().mapToLong(CampaignPlan.Step::trials).sum();
    }
}
