package org.naklab.lab.diagnosis.readings;

/** One reading of a series. */
public record Reading(long timeNs, long value) {}
