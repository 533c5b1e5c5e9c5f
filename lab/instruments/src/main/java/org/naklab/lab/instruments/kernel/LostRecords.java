package org.naklab.lab.instruments.kernel;

/**
 * Reports that the recorder lost something since its last report of this kind: from here back, records may be missing.
 *
 * @param what {@code records}: they were not read fast enough; {@code threads}: more threads than the recorder follows;
 *     {@code drops}: more kinds of drops than it counts; {@code senders}: more senders than it counts;
 *     {@code faults}: some page faults of a process are not seen
 * @param count how many
 * @param timeNs when this was noticed, ns
 */
public record LostRecords(String what, long count, long timeNs) implements KernelRecord {}
