package org.naklab.journaler;

import java.nio.file.Path;

/**
 * Tells what of a broken journal can be read, as far as it can be.
 *
 * @param lastSequence of the last good event; 0 without one
 */
record JournalRecount(long events, long lastSequence) {
    static JournalRecount of(Path directory) {
        long events = 0;
        long lastSequence = 0;
        JournalEntry entry = new JournalEntry();
        try (JournalReader reader = JournalReader.open(directory)) {
            while (reader.next(entry)) {
                events = reader.eventsRead();
                lastSequence = reader.lastSequence();
            }
        } catch (JournalException | InternalError e) {
            // The first record that cannot be read is what the caller asks for.
            return new JournalRecount(events, lastSequence);
        }
        return new JournalRecount(events, lastSequence);
    }
}
