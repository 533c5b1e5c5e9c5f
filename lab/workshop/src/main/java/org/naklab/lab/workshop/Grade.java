package org.naklab.lab.workshop;

import java.util.List;

/**
 * The grade of an answer.
 *
 * @param steps in the order in which one finds a cause
 * @param hints points that the hints have cost
 */
public record Grade(List<Step> steps, double hints) {
    /** Points of an answer in which all is right. */
    public static final int FULL = 100;

    /**
     * One step.
     *
     * @param points that were earned
     * @param full points that could be earned
     * @param remark why, without the cause
     */
    public record Step(String name, double points, int full, String remark) {}

    public Grade {
        steps = List.copyOf(steps);
    }

    /** Returns this grade without one of its steps. */
    public Grade without(String step) {
        return new Grade(
                steps.stream().filter(each -> !each.name().equals(step)).toList(), hints);
    }

    /** Returns the points that could be earned. */
    public int full() {
        return steps.stream().mapToInt(Step::full).sum();
    }

    /** Returns the points, not below 0. */
    public double score() {
        return Math.max(0, steps.stream().mapToDouble(Step::points).sum() - hints);
    }
}
