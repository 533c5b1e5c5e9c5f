package org.naklab.lab.scenarios.inspection;

import org.jspecify.annotations.Nullable;

/**
 * Tells what a process held when the run began to count, and at its end.
 *
 * @param begin {@code null}: it could not be read
 * @param end {@code null}: it could not be read, or the process had ended
 * @param maxAnonymousBytes the most between the two, seen once a second
 * @param maxJournalBytes the most between the two, seen every few seconds
 */
public record ProcessUse(
        String process,
        @Nullable ProcessReading begin,
        @Nullable ProcessReading end,
        long maxAnonymousBytes,
        long maxJournalBytes) {}
