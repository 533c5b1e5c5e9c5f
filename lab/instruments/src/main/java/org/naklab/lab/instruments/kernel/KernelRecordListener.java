package org.naklab.lab.instruments.kernel;

/** Receives records in the order in which the recorder reads them. */
@FunctionalInterface
public interface KernelRecordListener {
    /** Takes one record, on the recorder's own thread. If this takes long, records are lost and counted. */
    void onRecord(KernelRecord kernelRecord);
}
