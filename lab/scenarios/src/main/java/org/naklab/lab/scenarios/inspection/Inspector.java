package org.naklab.lab.scenarios.inspection;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the processes of a run hold: at the end of the warm-up, while the flow goes on, and at its end. It observes from outside,
 * so that what a process reports about itself plays no part. One thread uses it; it has a thread of its own while the flow goes on.
 */
public final class Inspector implements AutoCloseable {
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    /** The kernel walks the page tables for the journal's pages, and holds a lock of the process meanwhile. */
    private static final int PERIODS_PER_JOURNAL_READING = 10;

    /** Java closes a connection to another JVM 15 s after its last use. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private final boolean isWanted;
    private final ProcessReader lab;
    /** What a process of the run, or the lab, has left behind becomes a child of the lab. */
    private final @Nullable Subreaper subreaper;

    private final @Nullable ProcessReading labBegin;
    private final List<Subject> subjects = new ArrayList<>();
    private final Path journal;
    private final Thread thread = new Thread(this::observe, "naklab-inspector");
    private volatile long countedFromNs = Long.MAX_VALUE;
    private volatile boolean isRunning;

    /** One process, and the most that it was seen with; written by the inspector's thread until that has ended. */
    private static final class Subject {
        private final String process;
        private final ProcessReader reader;
        private @Nullable ProcessReading begin;
        private @Nullable ProcessReading end;
        private long maxAnonymousBytes;
        private long maxJournalBytes;

        Subject(String process, ProcessReader reader) {
            this.process = process;
            this.reader = reader;
        }

        void begin() {
            begin = reader.read().orElse(null);
            take(begin);
        }

        void end() {
            end = reader.read().orElse(null);
            take(end);
        }

        private void take(@Nullable ProcessReading reading) {
            if (reading != null) {
                maxAnonymousBytes = Math.max(maxAnonymousBytes, reading.anonymousBytes());
                maxJournalBytes = Math.max(maxJournalBytes, reading.journalBytes());
            }
        }

        void observe(boolean withJournal) {
            maxAnonymousBytes = Math.max(maxAnonymousBytes, reader.anonymousBytes());
            if (withJournal) {
                try {
                    maxJournalBytes = Math.max(maxJournalBytes, reader.journalBytes());
                } catch (IOException e) {
                    // It has ended; its reading at the end says so.
                    return;
                }
            }
        }

        ProcessUse use() {
            return new ProcessUse(process, begin, end, maxAnonymousBytes, maxJournalBytes);
        }
    }

    private Inspector(boolean isWanted, Path journal) {
        this.isWanted = isWanted;
        this.journal = journal;
        lab = new ProcessReader(ProcessHandle.current().pid(), null);
        subreaper = isWanted ? Subreaper.begin() : null;
        labBegin = isWanted ? lab.read().orElse(null) : null;
    }

    /**
     * Reads what the lab itself holds before it starts a process of the run.
     *
     * @param isWanted false: nothing is measured at all
     * @param journal the directory of the journal of the run
     */
    public static Inspector begin(boolean isWanted, Path journal) {
        return new Inspector(isWanted, journal);
    }

    /**
     * Begins to observe the processes.
     *
     * @param pids by the names of the processes
     * @param journalWriter the name of the process that writes the journal
     * @param fromNs the end of the warm-up, CLOCK_MONOTONIC in ns
     */
    public void observe(Map<String, Long> pids, String journalWriter, long fromNs) {
        if (!isWanted) {
            return;
        }
        new LinkedHashMap<>(pids)
                .forEach((process, pid) -> subjects.add(
                        new Subject(process, new ProcessReader(pid, process.equals(journalWriter) ? journal : null))));
        countedFromNs = fromNs;
        isRunning = true;
        thread.setDaemon(true);
        thread.start();
    }

    private void observe() {
        if (!sleepUntil(countedFromNs)) {
            return;
        }
        subjects.forEach(Subject::begin);
        long nextNs = System.nanoTime();
        for (int i = 1; sleepUntil(nextNs + PERIOD_NS); i++) {
            nextNs = System.nanoTime();
            boolean withJournal = i % PERIODS_PER_JOURNAL_READING == 0;
            subjects.forEach(subject -> subject.observe(withJournal));
        }
    }

    /** @return false if the observation has ended before */
    private boolean sleepUntil(long timeNs) {
        for (long leftNs = timeNs - System.nanoTime(); isRunning && leftNs > 0; leftNs = timeNs - System.nanoTime()) {
            LockSupport.parkNanos(this, leftNs);
        }
        return isRunning;
    }

    /** Reads what the processes hold at the end of the flow, while they still live. */
    public void onFlowEnded() throws InterruptedException {
        if (isRunning) {
            end();
            subjects.forEach(Subject::end);
        }
    }

    private void end() throws InterruptedException {
        isRunning = false;
        LockSupport.unpark(thread);
        thread.join();
    }

    /** Reads what the lab itself holds when all processes of the run have ended, and replays the journal; {@code null} if not wanted. */
    public @Nullable Inspection finish() {
        if (!isWanted) {
            return null;
        }
        List<ProcessUse> uses =
                new ArrayList<>(subjects.stream().map(Subject::use).toList());
        ProcessReading labEnd = readLabAtEnd();
        uses.add(new ProcessUse(Inspection.LAB, labBegin, labEnd, 0, 0));
        return new Inspection(uses, JournalBooks.digest(journal));
    }

    /** Reads the lab again while it holds more than before: connections are closed some time after their last use, and what leaks stays. */
    private @Nullable ProcessReading readLabAtEnd() {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        ProcessReading reading = lab.read().orElse(null);
        while (labBegin != null
                && reading != null
                && reading.holdsMoreThan(labBegin)
                && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(this, PERIOD_NS);
            reading = lab.read().orElse(null);
        }
        return reading;
    }

    /** Ends the observation of a run that was cut short. */
    @Override
    public void close() {
        isRunning = false;
        LockSupport.unpark(thread);
        if (subreaper != null) {
            subreaper.close();
        }
    }
}
