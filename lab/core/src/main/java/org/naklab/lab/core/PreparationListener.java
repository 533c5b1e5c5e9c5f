package org.naklab.lab.core;

/** Hears what is done before the processes of a run start, in one line of plain English each time. */
public interface PreparationListener {
    /** A listener that takes no notice. */
    PreparationListener NONE = new PreparationListener() {};

    /** Something begins that takes time; what was told before it has ended. */
    default void onStep(String what) {}

    /** Something was measured that the user may want to know after the run. */
    default void onFinding(String what) {}
}
