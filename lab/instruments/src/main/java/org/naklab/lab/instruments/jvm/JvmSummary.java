package org.naklab.lab.instruments.jvm;

/**
 * Pauses of a JVM over the whole watch, short ones included.
 *
 * @param longestToSafepointNs longest wait for all threads to stop
 */
public record JvmSummary(long safepoints, long longestSafepointNs, long longestToSafepointNs, long longestGcPauseNs) {}
