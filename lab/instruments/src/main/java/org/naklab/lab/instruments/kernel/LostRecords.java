package org.naklab.lab.instruments.kernel;

/**
 * Reports that the recorder lost something since its last report of this kind: from here back, records may be missing.
 *
 * @param what {@code records}: they were not read fast enough; {@code threads}: more threads than the recorder follows;
 *     {@code drops}: more kinds of drops than it counts; {@code senders}: more senders than it counts;
 *     {@code faults}: some page faults of a process are not seen; {@code system calls}: calls that the recorder's program may not make, so
 *     what they were to read is missing; {@code user stacks}: the process that unwinds them has ended, or does not answer
 * @param count how many
 * @param timeNs when this was noticed, ns
 */
public record LostRecords(String what, long count, long timeNs) implements KernelRecord {}
