package org.naklab.lab.diagnosis;

/**
 * One piece of evidence.
 *
 * @param atNs when, CLOCK_MONOTONIC
 * @param text what was seen, in a few words
 * @param figure with its unit
 */
public record Evidence(long atNs, String text, String figure) {}
