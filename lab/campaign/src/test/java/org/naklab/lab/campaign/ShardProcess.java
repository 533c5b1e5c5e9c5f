package org.naklab.lab.campaign;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.runs.history.HistoryUrl;

/** A shard in a process of its own, which a test can kill: arguments are the history, the campaign, the shard and the pause of each seed in ms. */
final class ShardProcess {
    private ShardProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        CampaignStore store = new CampaignStore(HistoryUrl.of(arguments[0]));
        Campaign campaign = store.find(arguments[1]).orElseThrow();
        SeedRunner rehearsal = new Rehearsal(0.2);
        long pauseNs = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[3]));
        SeedRunner slow = (cell, seed, faults, asked) -> {
            LockSupport.parkNanos(pauseNs);
            return rehearsal.run(cell, seed, faults, asked);
        };
        String[] shard = arguments[2].split("/", -1);
        CampaignFixture.run(
                store,
                campaign,
                new Shard(Integer.parseInt(shard[0]), Integer.parseInt(shard[1])),
                true,
                slow,
                new Cancellation());
    }
}
