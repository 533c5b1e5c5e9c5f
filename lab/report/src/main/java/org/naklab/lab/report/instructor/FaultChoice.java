package org.naklab.lab.report.instructor;

/**
 * A kind of fault that a run takes while it goes on.
 *
 * @param example in the words of {@code naklab inject}
 */
public record FaultChoice(String kind, String summary, String example) {}
