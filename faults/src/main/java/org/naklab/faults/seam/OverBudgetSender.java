package org.naklab.faults.seam;

/**
 * A way to send more than a sender's budget allows: what {@code rate-limit-yield} calls where the workload does not go over its
 * budget by itself.
 *
 * @param exceedBudget sends until the limiter refuses, then returns; called on the fault's thread, so it must be thread-safe
 */
public record OverBudgetSender(Runnable exceedBudget) {}
