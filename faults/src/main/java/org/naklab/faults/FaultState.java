package org.naklab.faults;

/**
 * Tells how far one fault has come.
 *
 * @param proof what it has done so far
 */
public record FaultState(Phase phase, FaultProof proof) {
    /** The phases of a fault, in their order. */
    public enum Phase {
        /** Its time, or its event, has not come. */
        WAITING,
        /** It may fire. */
        ARMED,
        /** It was disarmed, or could not be armed. */
        OVER
    }
}
