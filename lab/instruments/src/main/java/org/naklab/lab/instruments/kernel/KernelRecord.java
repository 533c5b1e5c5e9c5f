package org.naklab.lab.instruments.kernel;

/** One observation of the kernel recorder. Times are CLOCK_MONOTONIC in ns; process and thread ids are those of the host. */
public sealed interface KernelRecord
        permits Absence, BusySpell, PageFaultSpan, DatagramRecord, ProcessLife, LostRecords, RecorderEnd {
    /** Returns when the record became complete, ns: the end of a span. */
    long timeNs();
}
