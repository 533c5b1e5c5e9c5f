package org.naklab.lab.core.experiment;

/**
 * One run of an arm with a seed.
 *
 * @param attempt number of the run for this arm and seed, from 1
 * @param isCounted false: the result was in doubt, and the trial is made again
 * @param <A> the type of the arms
 * @param <R> the type of the results
 */
public record Trial<A, R>(A arm, long seed, int attempt, R result, boolean isCounted) {}
