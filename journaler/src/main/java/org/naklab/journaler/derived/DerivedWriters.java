package org.naklab.journaler.derived;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.Journal;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalReader;

/**
 * Follows a journal that is being written and derives the other formats from it: surveillance files and CSV. It reads what the
 * journal has put on file and shares nothing else with its writer, so however slow a format is, the journal does not wait;
 * {@link #lagEvents} tells how far behind the formats are.
 *
 * <p>Run it on a thread of its own. A format that fails ends the agent, and not the journal.
 */
public final class DerivedWriters implements Agent {
    private final Context context;
    private final DerivedFeed feed;
    private final AtomicLong eventsWritten = new AtomicLong();
    private volatile boolean isFinished;
    private boolean isFlushed = true;
    private boolean hasFailed;

    private DerivedWriters(Context context, DerivedFeed feed) {
        this.context = context;
        this.feed = feed;
    }

    /**
     * Opens the journal at its first record.
     *
     * @throws JournalException when the journal cannot be read, or the formats' directory not be written
     */
    public static DerivedWriters create(Context context) {
        JournalReader reader = JournalReader.open(context.journalDirectory());
        return new DerivedWriters(context, new DerivedFeed(reader, context.books(), context.concludeSinks()));
    }

    /** Derives from a bounded number of records. */
    @Override
    public int doWork() {
        try {
            int records = feed.poll(context.batchLimit());
            if (records > 0) {
                eventsWritten.lazySet(feed.reader().eventsRead());
                isFlushed = false;
            } else if (!isFlushed) {
                feed.flush();
                isFlushed = true;
                isFinished = feed.reader().isTrailerRead();
            }
            return records;
        } catch (RuntimeException e) {
            hasFailed = true;
            throw new AgentTerminationException(e);
        }
    }

    @Override
    public String roleName() {
        return context.roleName();
    }

    /** Catches up with the journal, for as long as it may, and ends the files. */
    @Override
    public void onClose() {
        try {
            drain();
        } finally {
            feed.close();
        }
    }

    /** Events of the journal that are in all formats. Any thread. */
    public long eventsWritten() {
        return eventsWritten.get();
    }

    /** Events that the journal has and the formats do not have yet; after closing, those they will never have. Any thread. */
    public long lagEvents() {
        return Math.max(0, context.eventsAppended().getAsLong() - eventsWritten.get());
    }

    /** Returns whether the formats are complete: all up to the trailer is written. Any thread. */
    public boolean isFinished() {
        return isFinished;
    }

    /** Returns where the formats stand, in one line for people. */
    public String report() {
        long lagEvents = lagEvents();
        return lagEvents == 0
                ? eventsWritten() + " events derived, none left"
                : eventsWritten() + " events derived, " + lagEvents + " left: export them from the journal";
    }

    /** An interrupt ends it too: whoever closes the agent has waited long enough. */
    private void drain() {
        if (hasFailed) {
            return;
        }
        long deadlineNs = context.nanoClock().nanoTime() + context.drainTimeoutNs();
        int records = 1;
        while ((records > 0 || !isFlushed)
                && context.nanoClock().nanoTime() - deadlineNs < 0
                && !Thread.currentThread().isInterrupted()) {
            records = doWork();
        }
    }

    /** Tells what the writers are created with. */
    public static final class Context {
        private @Nullable Path journalDirectory;
        private @Nullable Path outputDirectory;
        private @Nullable BookView books;
        private @Nullable List<DerivedSink> sinks;
        private LongSupplier eventsAppended = () -> 0;
        private RollPolicy rollPolicy = RollPolicy.DEFAULT;
        private int batchLimit = 256;
        private long drainTimeoutNs = TimeUnit.SECONDS.toNanos(2);
        private NanoClock nanoClock = SystemNanoClock.INSTANCE;
        private String roleName = "derived-writers";

        /** The journal to follow; it must have been created. */
        public Context journalDirectory(Path journalDirectory) {
            this.journalDirectory = journalDirectory;
            return this;
        }

        public Path journalDirectory() {
            return Objects.requireNonNull(journalDirectory, "journalDirectory");
        }

        /** Sets where the formats go: the surveillance files, top of book and trades as CSV. */
        public Context outputDirectory(Path outputDirectory) {
            this.outputDirectory = outputDirectory;
            return this;
        }

        /** Books of the writers' own; the agent's thread drives them. */
        public Context books(BookView books) {
            this.books = books;
            return this;
        }

        public BookView books() {
            return Objects.requireNonNull(books, "books");
        }

        /** Formats in place of the ones that {@link #outputDirectory} would get. */
        public Context sinks(List<? extends DerivedSink> sinks) {
            this.sinks = List.copyOf(sinks);
            return this;
        }

        /** Tells how many events the journal has, from any thread: {@link Journal#eventsAppended}. */
        public Context eventsAppended(LongSupplier eventsAppended) {
            this.eventsAppended = eventsAppended;
            return this;
        }

        public LongSupplier eventsAppended() {
            return eventsAppended;
        }

        public Context rollPolicy(RollPolicy rollPolicy) {
            this.rollPolicy = rollPolicy;
            return this;
        }

        /** Records per duty cycle. */
        public Context batchLimit(int batchLimit) {
            this.batchLimit = batchLimit;
            return this;
        }

        public int batchLimit() {
            return batchLimit;
        }

        /** Sets how long closing may take to catch up; an agent's runner interrupts it after three seconds by default. */
        public Context drainTimeoutNs(long drainTimeoutNs) {
            this.drainTimeoutNs = drainTimeoutNs;
            return this;
        }

        public long drainTimeoutNs() {
            return drainTimeoutNs;
        }

        public Context nanoClock(NanoClock nanoClock) {
            this.nanoClock = nanoClock;
            return this;
        }

        public NanoClock nanoClock() {
            return nanoClock;
        }

        public Context roleName(String roleName) {
            this.roleName = roleName;
            return this;
        }

        public String roleName() {
            return roleName;
        }

        private List<DerivedSink> concludeSinks() {
            if (sinks != null) {
                return sinks;
            }
            Path directory = Objects.requireNonNull(outputDirectory, "outputDirectory");
            return List.of(
                    new SurveillanceFiles(directory, rollPolicy),
                    new TopOfBookCsv(directory, rollPolicy),
                    new TradesCsv(directory, rollPolicy));
        }
    }
}
