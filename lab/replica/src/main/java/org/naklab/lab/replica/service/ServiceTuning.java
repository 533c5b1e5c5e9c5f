package org.naklab.lab.replica.service;

import org.naklab.journaler.disk.PageCachePolicy;

/**
 * What remedies change in a service.
 *
 * @param preTouch whether it binds {@code sched_yield} before anything waits for that
 * @param withoutYield whether the context thread goes on with its duty cycle when a wake-up fails, and does not yield
 * @param ownContext whether snapshots are sent by a context of their own, so that no yield is on the thread that receives
 * @param journalPages what becomes of the journal's pages in the page cache
 */
public record ServiceTuning(boolean preTouch, boolean withoutYield, boolean ownContext, PageCachePolicy journalPages) {
    /** A service without a remedy. */
    public static final ServiceTuning NONE = new ServiceTuning(false, false, false, PageCachePolicy.KEPT);

    /** Takes a document without {@code journalPages} as one whose pages are kept. */
    public ServiceTuning {
        journalPages = journalPages == null ? PageCachePolicy.KEPT : journalPages;
    }

    /** Returns this with pages touched and the symbol bound before anything waits for that. */
    public ServiceTuning preTouched() {
        return new ServiceTuning(true, withoutYield, ownContext, journalPages);
    }

    /** Returns this with a context thread that never yields. */
    public ServiceTuning neverYielding() {
        return new ServiceTuning(preTouch, true, ownContext, journalPages);
    }

    /** Returns this with a context of their own for the snapshots. */
    public ServiceTuning withOwnContext() {
        return new ServiceTuning(preTouch, withoutYield, true, journalPages);
    }

    /** Returns this with another policy of the journal's pages. */
    public ServiceTuning withJournalPages(PageCachePolicy policy) {
        return new ServiceTuning(preTouch, withoutYield, ownContext, policy);
    }
}
