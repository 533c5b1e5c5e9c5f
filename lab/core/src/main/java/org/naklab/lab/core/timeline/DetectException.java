package org.naklab.lab.core.timeline;

import org.naklab.lab.core.LabException;

/** An instrument cannot see what it was asked to see; the message is one line and says why. */
public final class DetectException extends LabException {
    private static final long serialVersionUID = 1L;

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
