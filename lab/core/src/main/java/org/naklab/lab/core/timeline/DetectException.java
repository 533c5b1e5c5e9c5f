package org.naklab.lab.core.timeline;

/** An instrument cannot see what it was asked to see; the message is one line and says why. */
public final class DetectException extends RuntimeException {
    /**
     * Creates an exception.
     *
     * @param message one line: what cannot be seen, why, and what to do
     */
    public DetectException(String message) {
        super(message);
    }

    public DetectException(String message, Throwable cause) {
        super(message, cause);
    }
}
