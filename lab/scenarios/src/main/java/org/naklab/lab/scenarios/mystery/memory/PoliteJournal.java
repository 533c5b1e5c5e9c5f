package org.naklab.lab.scenarios.mystery.memory;

import com.google.auto.service.AutoService;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.mystery.RemedyStrategy;

/**
 * Drops the journal's pages behind its writer, so that they do not evict those of libraries. The symbol is still bound late, and its pages are in memory.
 * The price: the journal's thread waits for a disk that is slower than the feed, and a reader of old events reads them from the disk.
 */
@AutoService(RemedyStrategy.class)
public final class PoliteJournal implements RemedyStrategy {
    @Override
    public Remedy remedy() {
        return Remedy.POLITE_JOURNAL;
    }

    @Override
    public ProcessSpec<ServiceConfig> applyTo(ProcessSpec<ServiceConfig> service) {
        return service.withConfig(
                service.config().with(service.config().tuning().withJournalPages(PageCachePolicy.POLITE)));
    }

    @Override
    public boolean isAgainstEviction() {
        return true;
    }

    @Override
    public String price() {
        return "the journal waits for a disk that is slower than the feed, and old events are read from the disk";
    }

    @Override
    public String text(boolean isCured) {
        return "the journal's pages are written to disk and dropped behind its writer"
                + (isCured ? ": the cause is removed" : "");
    }
}
