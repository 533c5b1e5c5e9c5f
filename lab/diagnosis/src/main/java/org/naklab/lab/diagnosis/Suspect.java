package org.naklab.lab.diagnosis;

/**
 * An alternative cause.
 *
 * @param ruledOut false: it is the cause, or nobody looked
 * @param figure why; says so when no instrument saw
 */
public record Suspect(String name, boolean ruledOut, String figure) {}
