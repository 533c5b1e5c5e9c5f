package org.naklab.lab.core.experiment;

/** Hears of the steps of a measurement that takes longer than a few seconds, and of what each found. */
@FunctionalInterface
public interface StepListener {
    /** Takes note of a step that begins. */
    void onStep(String what);

    /** Takes note of what the step has found that began last, in one line for people. */
    default void onResult(String found) {}
}
