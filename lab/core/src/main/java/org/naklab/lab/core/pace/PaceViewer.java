package org.naklab.lab.core.pace;

/** Is told how far the processes of a run are while it goes on, several times a second each, on a thread that it must not hold up. */
@FunctionalInterface
public interface PaceViewer {
    /** Takes what one process has reported. */
    void onPace(ProcessPace pace);
}
