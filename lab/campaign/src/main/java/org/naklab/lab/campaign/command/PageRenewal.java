package org.naklab.lab.campaign.command;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.naklab.lab.campaign.Campaign;
import org.naklab.lab.campaign.CampaignPage;
import org.naklab.lab.campaign.CampaignReport;
import org.naklab.lab.campaign.CampaignStore;
import org.naklab.lab.core.LabException;
import org.naklab.lab.terminal.Terminal;

/** Writes the page of a campaign again while the campaign goes on, in a small share of its time. */
final class PageRenewal {
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(10);
    /** Of the time between two pages, at most one part in so many goes into a page, which takes the longer the more trials there are. */
    private static final long SHARE = 50;

    private final Path runs;
    private final CampaignStore store;
    private final Campaign campaign;
    private final Terminal terminal;
    private final LongSupplier clock;
    private long dueNs;

    /** @param clock ns */
    PageRenewal(Path runs, CampaignStore store, Campaign campaign, Terminal terminal, LongSupplier clock) {
        this.runs = runs;
        this.store = store;
        this.campaign = campaign;
        this.terminal = terminal;
        this.clock = clock;
        dueNs = clock.getAsLong() + PERIOD_NS;
    }

    /** Writes the page if it is time. A page that cannot be written does not end a campaign. */
    void onTrial() {
        long beganNs = clock.getAsLong();
        if (beganNs - dueNs < 0) {
            return;
        }
        try {
            renew();
        } catch (LabException e) {
            terminal.err().println("note: the page of the campaign was not written: " + e.getMessage());
        }
        long endNs = clock.getAsLong();
        dueNs = endNs + Math.max(PERIOD_NS, SHARE * (endNs - beganNs));
    }

    /**
     * Writes the page.
     *
     * @return what it shows
     * @throws LabException it cannot be written
     */
    CampaignReport renew() {
        return CampaignPage.keep(runs, store, campaign).report();
    }
}
