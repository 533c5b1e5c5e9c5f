package org.naklab.lab.records;

import org.jspecify.annotations.Nullable;

/**
 * Tells what a process held at the end of the warm-up and at the end of the flow; the lab itself ({@code lab}) before its first process and after
 * its last.
 *
 * @param process name of the process
 * @param begin {@code null}: it could not be read
 * @param end {@code null}: it could not be read, or the process had ended
 * @param maxAnonymousBytes the most between the two
 * @param maxJournalBytes the most between the two
 */
public record ResourceRecord(
        String process, @Nullable Reading begin, @Nullable Reading end, long maxAnonymousBytes, long maxJournalBytes) {
    /**
     * Tells what a process held at one time.
     *
     * @param anonymousBytes resident memory that is not of files
     * @param journalBytes resident pages of the mapped files of the journal
     * @param descriptors number of open descriptors, without the class path
     * @param threads number of threads, without those that the JVM starts and ends as it needs them
     * @param children number of child processes
     */
    public record Reading(long anonymousBytes, long journalBytes, int descriptors, int threads, int children) {}

    public ResourceRecord {
        process = Absent.orEmpty(process);
    }
}
