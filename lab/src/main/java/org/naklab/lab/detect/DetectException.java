package org.naklab.lab.detect;

/** An instrument cannot see what it was asked to see; the message is one line and says why. */
public final class DetectException extends RuntimeException {
    /** @param message one line: what cannot be seen, why, and what to do */
    public DetectException(String message) {
        super(message);
    }

    DetectException(String message, Throwable cause) {
        super(message, cause);
    }
}
