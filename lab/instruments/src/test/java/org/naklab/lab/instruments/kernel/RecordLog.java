package org.naklab.lab.instruments.kernel;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.naklab.lab.core.timeline.Interval;

/** Collects records. */
final class RecordLog implements KernelRecordListener {
    private final List<KernelRecord> records = new CopyOnWriteArrayList<>();

    @Override
    public void onRecord(KernelRecord kernelRecord) {
        records.add(kernelRecord);
    }

    <T extends KernelRecord> List<T> of(Class<T> type) {
        return records.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Returns the longest absence of a thread within a time that the recorder has passed. */
    Absence longestIn(Interval span, String comm) {
        return of(Absence.class).stream()
                .filter(absence -> isIn(absence, span, comm))
                .max(Comparator.comparingLong(Absence::lengthNs))
                .orElseThrow(() -> new AssertionError("no absence of " + comm + " in " + records));
    }

    /** Returns whether an absence of a thread within a time has been delivered; a longer one may follow. */
    boolean isAbsentIn(Interval span, String comm) {
        return of(Absence.class).stream().anyMatch(absence -> isIn(absence, span, comm));
    }

    /** Returns whether an absence of a thread has been delivered that takes more than a share of a time, 0 to 1. */
    boolean isAbsentFor(double share, Interval span, String comm) {
        return of(Absence.class).stream()
                .filter(absence -> isIn(absence, span, comm))
                .anyMatch(absence -> span.coveredBy(List.of(absence.interval(0))) > share);
    }

    private static boolean isIn(Absence absence, Interval span, String comm) {
        return absence.task().comm().equals(comm)
                && !absence.isOpen()
                && absence.interval(0).overlaps(span);
    }
}
