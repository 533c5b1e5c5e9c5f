/** Draws the calendar of runs: one page with all runs of a history, their trends, and the comparison of two of them. */
@org.jspecify.annotations.NullMarked
package org.naklab.lab.runs.calendar;
