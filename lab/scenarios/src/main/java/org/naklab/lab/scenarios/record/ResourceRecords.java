package org.naklab.lab.scenarios.record;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.ResourceRecord;
import org.naklab.lab.scenarios.inspection.Inspection;
import org.naklab.lab.scenarios.inspection.ProcessReading;

/** Makes the records of what the processes of a run held. */
final class ResourceRecords {
    private ResourceRecords() {}

    static List<ResourceRecord> of(@Nullable Inspection inspection) {
        return inspection == null
                ? List.of()
                : inspection.processes().stream()
                        .map(use -> new ResourceRecord(
                                use.process(),
                                reading(use.begin()),
                                reading(use.end()),
                                use.maxAnonymousBytes(),
                                use.maxJournalBytes()))
                        .toList();
    }

    private static ResourceRecord.@Nullable Reading reading(@Nullable ProcessReading reading) {
        return reading == null
                ? null
                : new ResourceRecord.Reading(
                        reading.anonymousBytes(),
                        reading.journalBytes(),
                        ProcessReading.count(reading.descriptors()),
                        ProcessReading.count(reading.threads()),
                        ProcessReading.count(reading.children()));
    }
}
