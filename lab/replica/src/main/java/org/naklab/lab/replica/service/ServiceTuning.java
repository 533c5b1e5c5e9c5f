package org.naklab.lab.replica.service;

import org.naklab.journaler.disk.PageCachePolicy;

/**
 * Tells what remedies change in a service.
 *
 * @param preTouch whether it binds {@code sched_yield} before anything waits for that
 * @param lockPages whether it locks the pages that a bind needs in memory, and binds nothing
 * @param withoutYield whether the context thread goes on with its duty cycle when a wake-up fails, and does not yield
 * @param ownContext whether snapshots are sent by a context of their own, so that no yield is on the thread that receives
 * @param journalPages what becomes of the journal's pages in the page cache
 */
public record ServiceTuning(
        boolean preTouch, boolean lockPages, boolean withoutYield, boolean ownContext, PageCachePolicy journalPages) {
    /** A service without a remedy. */
    public static final ServiceTuning NONE = new ServiceTuning(false, false, false, false, PageCachePolicy.KEPT);

    /** Takes a document without {@code journalPages} as one whose pages are kept. */
    public ServiceTuning {
        journalPages = journalPages == null ? PageCachePolicy.KEPT : journalPages;
    }

    /** Returns this with pages touched and the symbol bound before anything waits for that. */
    public ServiceTuning preTouched() {
        return new ServiceTuning(true, lockPages, withoutYield, ownContext, journalPages);
    }

    /** Returns this with the pages that a bind needs locked in memory. */
    public ServiceTuning withLockedPages() {
        return new ServiceTuning(preTouch, true, withoutYield, ownContext, journalPages);
    }

    /** Returns this with a context thread that never yields. */
    public ServiceTuning neverYielding() {
        return new ServiceTuning(preTouch, lockPages, true, ownContext, journalPages);
    }

    /** Returns this with a context of their own for the snapshots. */
    public ServiceTuning withOwnContext() {
        return new ServiceTuning(preTouch, lockPages, withoutYield, true, journalPages);
    }

    /** Returns this with another policy of the journal's pages. */
    public ServiceTuning withJournalPages(PageCachePolicy policy) {
        return new ServiceTuning(preTouch, lockPages, withoutYield, ownContext, policy);
    }
}
